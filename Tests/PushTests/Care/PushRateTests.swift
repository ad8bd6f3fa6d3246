import Push
import Testing

@Suite("How many pushes may leave")
struct PushRateTests {
  private let start = ContinuousClock.now

  /// How many leave in each of some seconds, when as many as may leave are asked for each hundredth of them.
  private func leaving(
    _ rate: inout PushRate, from second: Int = 0, seconds: Int, at start: ContinuousClock.Instant
  ) -> [Int] {
    (second..<second + seconds).map { second in
      (0..<100).reduce(0) { sum, hundredth in
        let now = start + .seconds(second) + .milliseconds(10 * hundredth)
        return sum + rate.take(10_000, at: now)
      }
    }
  }

  @Test func `it grows for a minute, evenly, and stays`() {
    var rate = PushRate(most: 1000)

    let counts = leaving(&rate, seconds: 90, at: start)

    #expect((15...25).contains(counts[0]))
    #expect((480...520).contains(counts[30]))
    #expect(zip(counts, counts.dropFirst()).allSatisfy { $1 >= $0 - 1 })
    #expect(counts[61...].allSatisfy { (998...1002).contains($0) })
  }

  @Test func `after five minutes of silence it grows anew, after less it does not`() {
    var rate = PushRate(most: 1000)
    _ = leaving(&rate, seconds: 90, at: start)

    let soon = leaving(&rate, from: 380, seconds: 2, at: start)
    let late = leaving(&rate, from: 800, seconds: 2, at: start)

    #expect(soon[1] >= 998)
    #expect(late[1] <= 50)
  }

  @Test func `what was not used is not saved for later`() {
    var rate = PushRate(most: 1000, ramp: .zero)
    _ = rate.take(1, at: start)

    #expect(rate.take(10_000, at: start + .seconds(60)) == 100)
  }

  @Test func `it halves once for answers that come together, and is whole again in half a minute`()
  {
    var rate = PushRate(most: 1000, ramp: .zero)
    _ = rate.take(1, at: start)
    for thousandth in 0..<100 { rate.halve(at: start + .milliseconds(thousandth)) }

    #expect(rate.limit(at: start) == 500)
    #expect(rate.limit(at: start + .seconds(15)) == 750)
    #expect(rate.limit(at: start + .seconds(30)) == 1000)
    #expect(rate.limit(at: start + .seconds(300)) == 1000)
  }

  @Test func `halved again and again it comes down to one push a second, and no further`() {
    var rate = PushRate(most: 8, ramp: .zero)
    for half in 0..<100 { rate.halve(at: start + .seconds(1) * half) }

    #expect(rate.limit(at: start + .seconds(99)) >= 1)
    #expect(rate.limit(at: start + .seconds(99)) < 1.3)
  }

  @Test func `who may send nothing is told how long to wait for one`() {
    var rate = PushRate(most: 10, ramp: .zero)

    #expect(rate.wait(at: start) == .zero)
    #expect(rate.take(5, at: start) == 1)
    #expect(rate.take(5, at: start) == 0)
    #expect(rate.wait(at: start) == .milliseconds(100))
    #expect(rate.take(5, at: start + .milliseconds(100)) == 1)
  }
}
