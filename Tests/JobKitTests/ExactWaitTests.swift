import LocalTime
import Testing

@testable import Runner

@Suite("The wait for a moment")
struct ExactWaitTests {
  /// A clock that goes on while somebody sleeps, and a little with each look.
  private final class Site {
    var now = Instant(secondsSince1970: 1_767_268_800)
    var slept: [Duration] = []
    var looks = 0

    /// How far the clock goes on while somebody wants to sleep for so long, and with a look.
    var sleep: (Duration) -> Duration = { $0 }
    var look = Duration.microseconds(100)

    /// Waits for a moment that is so far away; returns it.
    func wait(for rest: Duration, most: Int = 1000) -> Instant {
      let moment = now + rest
      let wait = ExactWait(until: moment, farthest: .seconds(1))
      wait.run(from: now, while: self.slept.count < most) { rest in
        slept.append(rest)
        now = now + sleep(rest)
      } looking: { () throws(Never) -> Instant in
        looks += 1
        now = now + look
        return now
      }
      return moment
    }
  }

  private let site = Site()

  @Test func `it sleeps once, and spends the last two milliseconds looking`() {
    let moment = site.wait(for: .milliseconds(300))

    #expect(site.now == moment)
    #expect(site.slept == [.milliseconds(298)])
    #expect(site.looks == 20)
  }

  @Test func `who is woken too early sleeps on instead of looking all the time`() {
    site.sleep = { $0 / 2 }

    let moment = site.wait(for: .milliseconds(500))

    #expect(site.now >= moment && site.now < moment + .milliseconds(10))
    #expect(site.slept.count < 16 && site.looks < 40, "\(site.slept), \(site.looks) looks")
  }

  @Test func `a clock that stands still is asked ever more rarely`() {
    site.sleep = { _ in .zero }
    site.look = .zero

    _ = site.wait(for: .milliseconds(1), most: 10)

    let pauses = site.slept.prefix(7).map { $0 / .milliseconds(1) }
    #expect(pauses == [0, 2, 6, 14, 30, 50, 50])
    #expect(site.looks == 10 * ExactWait.mostLooks)
  }

  @Test func `nobody waits for a clock that was set back to catch up`() {
    site.sleep = { $0 * -9 }

    let moment = site.wait(for: .milliseconds(500))

    #expect(site.now < moment)
    #expect(site.slept.count == 1)
  }
}
