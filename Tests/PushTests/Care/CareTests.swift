import Push
import Testing

@Suite("The care of a provider")
struct CareTests {
  private let start = ContinuousClock.now

  private func care() -> Care { Care(rate: PushRate(most: 100, ramp: .zero)) }

  @Test func `as many leave as the rate allows, the others soon`() {
    var care = care()

    #expect(care.leave(50, at: start) == .now(1))
    #expect(care.leave(50, at: start) == .later(.milliseconds(10)))
    #expect(care.leave(50, at: start + .milliseconds(100)) == .now(10))
    #expect(care.leave(50, at: start + .seconds(1)) == .now(10))
  }

  @Test func `an answer that is too much halves the rate, one for the key lets none leave`() {
    var care = care()
    _ = care.leave(1, at: start)
    care.note(Verdict(delivery: .notSent("429"), rate: .halve), at: start)
    #expect(care.rate.limit(at: start) == 50)
    care.note(Verdict(delivery: .notSent("key"), health: .closed("key")), at: start)

    #expect(care.leave(1, at: start + .seconds(20)) == .none(because: "key", wait: .seconds(40)))
    #expect(care.leave(9, at: start + .seconds(60)) == .now(1))
    #expect(care.leave(9, at: start + .seconds(61)) == .none(because: "key", wait: .seconds(59)))
    care.note(Verdict(delivery: .sent), at: start + .seconds(62))
    #expect(care.leave(9, at: start + .seconds(63)) == .now(9))
  }

  @Test func `the one that is to see is not lost where the rate keeps it back`() {
    var care = Care(rate: PushRate(most: 1, ramp: .zero))
    #expect(care.leave(1, at: start) == .now(1))
    care.stop(because: "key", at: start + .milliseconds(-59_500))

    #expect(care.leave(1, at: start + .milliseconds(500)) == .later(.milliseconds(500)))
    #expect(care.leave(1, at: start + .milliseconds(1000)) == .now(1))
  }

  @Test func `three connections that fail let none leave`() {
    var care = care()
    for _ in 0..<3 { care.noteConnection(failing: "refused", at: start) }

    #expect(care.leave(1, at: start) == .none(because: "refused", wait: .seconds(60)))
  }
}
