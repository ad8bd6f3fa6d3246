@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import Runner
import TestKit

/// Daemons that come and go, and three jobs of every minute whose ticks are missed when none is there.
extension Stage {
  static let outageWatch: NoticeWatch = {
    var watch = NoticeWatch(jobs: ["sample", "other", "third"])
    watch.events = [.missed]
    return watch
  }()

  static func outageJobs() throws -> [ScheduledJob] {
    try outageWatch.jobs.map { name in try .sample(name) { $0.catchUp.policy = .skip } }
  }

  /// A daemon shows that it is alive.
  func show(_ word: UInt32) throws {
    _ = try Ledger.showAlive(
      .sample(word), jobs: Self.outageWatch.jobs, ready: true, draining: false, at: now,
      on: connection)
  }

  /// A daemon ends now and another is back after so long, which finds the ticks of the first jobs missed.
  func pass(outage: Duration, deciding count: Int = 3, endedBy word: UInt32 = 2) throws {
    let jobs = try Self.outageJobs()
    _ = try scheduler(jobs[0], jobs[1], jobs[2])
    try show(1)
    try pass(outage)
    try show(word)
    for job in jobs.prefix(count) { try decide(job) }
  }

  func decide(_ job: ScheduledJob) throws {
    var scheduler = try self.scheduler(job)
    _ = try scheduler.pass(at: now, on: connection)
  }

  func decideAll() throws {
    for job in try Self.outageJobs() { try decide(job) }
  }

  func outageMessages(for watch: NoticeWatch = Stage.outageWatch) throws -> [NoticeMessage] {
    try claimMessages(for: watch)
  }
}
