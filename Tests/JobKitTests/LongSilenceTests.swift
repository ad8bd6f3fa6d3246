import Glibc
import JobKit
import Ledger
import LocalTime
import Postgres
import Runner
import TestKit
import Testing

/// What a daemon finds that nobody was beside for long.
@Suite("A long silence")
struct LongSilenceTests {
  /// A ledger whose job of every second was down for so many days, and what the pass after them took of a
  /// processor.
  private func passed(days: Int, _ policy: CatchUp.Policy) throws -> (Stage, Duration) {
    let stage = try Stage(at: "2025-03-01T10:00:00Z")
    let job = try ScheduledJob.sample(every: .seconds(1)) {
      $0.catchUp = CatchUp(policy, within: .seconds(400 * 86_400), most: 5)
    }
    _ = try stage.scheduler(job)
    stage.clock.turn(to: try stage.now + .seconds(days * 86_400))
    var restarted = try stage.scheduler(job)
    let began = Self.processorTime()
    _ = try restarted.pass(at: stage.now, on: stage.connection)
    return (stage, Self.processorTime() - began)
  }

  /// How long this thread has had a processor, which is the same however busy the machine is.
  private static func processorTime() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  @Test(arguments: [CatchUp.Policy.latest, .all, .skip])
  func `a year down costs a job of every second a few rows, and every tick is counted`(
    policy: CatchUp.Policy
  ) throws {
    let (_, forADay) = try passed(days: 1, policy)
    let (stage, forAYear) = try passed(days: 365, policy)

    // Tick by tick it would be more than a hundred times as much.
    #expect(forAYear < forADay * 20, "\(forAYear) and \(forADay)")
    #expect(try stage.count("SELECT sum(ticks)::bigint FROM jobkit.run") == 365 * 86_400)
    #expect(try stage.count("SELECT count(*) FROM jobkit.run") <= 8)
    #expect(
      try stage.count("SELECT count(*) FROM jobkit.run WHERE state = 'due'")
        == (policy == .all ? 5 : 1))
  }
}
