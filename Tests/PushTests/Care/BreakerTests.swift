import Push
import Testing

@Suite("A provider's breaker")
struct BreakerTests {
  private let start = ContinuousClock.now
  private let fifth = "of the last minute's pushes it refused a fifth"

  private func after(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

  private func breaker(_ health: [Verdict.Health], at now: ContinuousClock.Instant? = nil)
    -> Breaker
  {
    var breaker = Breaker()
    for health in health { breaker.note(health, at: now ?? start) }
    return breaker
  }

  private func answers(failing: Int, of all: Int) -> [Verdict.Health] {
    Array(repeating: .good, count: all - failing) + Array(repeating: .failing, count: failing)
  }

  @Test(arguments: [
    (20, 100, true), (19, 100, false), (19, 99, false), (99, 99, false), (200, 1000, true),
  ])
  func `it opens when a fifth of a hundred pushes of a minute is refused`(
    failing: Int, all: Int, opens: Bool
  ) {
    #expect((breaker(answers(failing: failing, of: all)).reason == fifth) == opens)
  }

  @Test func `what was refused more than a minute ago counts no more`() {
    var breaker = breaker(answers(failing: 19, of: 99))
    for health in answers(failing: 1, of: 1) { breaker.note(health, at: after(65)) }

    #expect(breaker.reason == nil)
  }

  @Test func `dead devices and silence are no failures of the provider`() {
    let health =
      Array(repeating: Verdict.Health.good, count: 500)
      + Array(repeating: .silent, count: 500)

    #expect(breaker(health).reason == nil)
  }

  @Test func `it opens at once for a key that is refused, and says why`() {
    var breaker = breaker([.closed("the key or the team is refused")])

    #expect(
      breaker.admit(at: after(20))
        == .none(because: "the key or the team is refused", wait: .seconds(40)))
  }

  @Test func `it opens for twenty answers that nobody knows`() {
    #expect(breaker(Array(repeating: .unknown, count: 19)).reason == nil)
    #expect(
      breaker(Array(repeating: .unknown, count: 20)).reason == "20 answers that nobody knows")
  }

  @Test func `it opens for three connections that fail one after the other`() {
    var breaker = Breaker()
    for failure in ["refused", "refused", nil, "refused", "refused"] {
      breaker.noteConnection(failing: failure, at: start)
    }
    #expect(breaker.admit(at: start) == .all)
    breaker.noteConnection(failing: "no route to host", at: start)

    #expect(breaker.admit(at: start) == .none(because: "no route to host", wait: .seconds(60)))
  }

  @Test func `after a minute one push leaves, and an answer lets all others follow`() {
    var breaker = breaker([.closed("key")])

    #expect(breaker.admit(at: after(59)) == .none(because: "key", wait: .seconds(1)))
    #expect(breaker.admit(at: after(60)) == .one)
    #expect(breaker.admit(at: after(61)) == .none(because: "key", wait: .seconds(59)))
    breaker.note(.good, at: after(62))
    #expect(breaker.admit(at: after(62)) == .all)
    #expect(breaker.reason == nil)
  }

  @Test(
    arguments: [
      (.failing, "key"), (.unknown, "key"), (.silent, "key"), (.closed("team"), "team"),
    ] as [(Verdict.Health, String)])
  func `when the one is not taken either, nothing leaves for another minute`(
    health: Verdict.Health, reason: String
  ) {
    var breaker = breaker([.closed("key")])
    _ = breaker.admit(at: after(60))
    breaker.note(health, at: after(70))

    #expect(breaker.admit(at: after(70)) == .none(because: reason, wait: .seconds(60)))
    #expect(breaker.admit(at: after(130)) == .one)
  }

  @Test
  func `a connection that fails counts for the one, and one that never came back is replaced`() {
    var breaker = breaker([.closed("key")])
    _ = breaker.admit(at: after(60))
    breaker.noteConnection(failing: "refused", at: after(61))
    #expect(breaker.admit(at: after(61)) == .none(because: "refused", wait: .seconds(60)))
    #expect(breaker.admit(at: after(121)) == .one)

    #expect(breaker.admit(at: after(180)) == .none(because: "refused", wait: .seconds(1)))
    #expect(breaker.admit(at: after(181)) == .one)
  }

  @Test func `the same thing three times in ten minutes is too often`() {
    var times = RecentTimes(most: 3, within: .seconds(600))

    let isTooOften = [0, 400, 601, 1000].map { times.note(at: after($0)) }

    #expect(isTooOften == [false, false, false, true])
  }
}
