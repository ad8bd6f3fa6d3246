@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// What a worker does step by step, moved by hand: claims, finishes, heartbeats, rescues.
extension Stage {
  /// Enters a run by hand of a job with `parts`, due now.
  @discardableResult
  func enter(
    _ job: JobName = "sample", parts: Int = 1, _ tune: (inout Policies) -> Void = { _ in }
  ) throws -> Int {
    var policies = Policies()
    tune(&policies)
    let request = Ledger.RunRequest(
      job, for: try now, parts: parts, policies: policies, by: "ana")
    return try Ledger.enter(request, at: now, on: connection)
  }

  /// Claims up to `limit` parts for the worker of that name.
  func claim(
    _ limit: Int = 1, of jobs: [JobName] = ["sample"], by worker: UInt32 = 1,
    lease: Duration = .seconds(15)
  ) throws -> [ClaimedPart] {
    try Ledger.claim(
      limit, of: jobs, for: .sample(worker), lease: lease, at: clock.reading, on: connection)
  }

  /// Claims one part, which must be there.
  func claimOne(by worker: UInt32 = 1) throws -> ClaimedPart {
    try #require(try claim(by: worker).first)
  }

  /// Ends a part of which `progress` was saved last, or nothing since it was claimed.
  func finish(
    _ part: ClaimedPart, after progress: Progress? = nil, as end: PartEnd = .succeeded
  ) throws {
    let claim = part.claim.after(progress ?? part.saved)
    try Ledger.finish(claim, as: end, at: clock.reading, on: connection)
  }

  func release(_ part: ClaimedPart, because reason: ReleaseReason = .drained) throws {
    try Ledger.release(
      part.claim, because: reason, after: .zero, at: clock.reading, on: connection)
  }

  func rescue(_ jobs: [JobName] = ["sample"]) throws -> [RescuedPart] {
    try Ledger.rescue(jobs, at: now, on: connection)
  }

  func pass(_ time: Duration) throws {
    clock.turn(to: try now + time)
  }

  /// The state of a run with its reason, and of its parts: `failed (why) succeeded,failed`.
  func state(of run: Int = 1) throws -> String {
    try text(
      """
      SELECT state || coalesce(' (' || reason || ')', '') || ' ' || coalesce((
        SELECT string_agg(part.state, ',' ORDER BY number) FROM jobkit.part WHERE part.run = id
      ), '') FROM jobkit.run WHERE id = \(run)
      """)
  }

  /// What must hold of the ledger at any time, as the rows in which it does not.
  func contradictions() throws -> [String] {
    let rows = try connection.run(
      """
      SELECT run.id || ' ' || run.state || ' ' || string_agg(part.state, ',') AS found
      FROM jobkit.run JOIN jobkit.part ON part.run = run.id
      GROUP BY run.id
      HAVING parts_left <> count(*) FILTER (WHERE part.state IN ('due', 'running'))
        OR parts_failed <> count(*) FILTER (WHERE part.state = 'failed')
        OR parts_cancelled <> count(*) FILTER (WHERE part.state = 'cancelled')
        OR parts <> count(*)
        OR run.state = 'due' AND bool_or(part.state = 'running')
        OR run.state = 'running' AND parts_left = 0
      """)
    return try rows.map { try $0["found"] }
  }
}

extension DaemonID {
  static func sample(_ word: UInt32) -> DaemonID {
    DaemonID(host: "host", process: 1, version: "1", settingsHash: "1", word: word)
  }
}
