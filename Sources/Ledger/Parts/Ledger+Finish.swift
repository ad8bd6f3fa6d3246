internal import Config
package import JobKit
import LocalTime
package import Postgres

extension Ledger {
  /// Writes that a part is over, and its run with it when it was the last; throws when the part is no
  /// longer ours.
  ///
  /// The parts count down in the run's own row: two that end at once wait for each other there, and
  /// exactly one of them finds none left. Who is not the last does not make the others wait for the disk:
  /// it is safe once anything that its worker commits later is. A part succeeds only with all that its worker
  /// has saved; however else it ends, it can go on from what the ledger remembers.
  @discardableResult
  package static func finish(
    _ claim: Claim, as end: PartEnd, at now: Statement, on connection: borrowing Connection
  ) throws -> Bool {
    let part: Statement = """
      WITH part AS (
        UPDATE jobkit.part
        SET state = \(end.state), finished_at = \(now), error = \(end.error),
          failures = failures + \(end.isFailure ? 1 : 0), daemon = NULL, lease_until = NULL, slot = NULL,
          \(lettingGo(at: now))
        WHERE \(end == .succeeded ? claim.isRemembered : claim.isOurs)
        RETURNING run
      )
      """
    let run: Statement = """
      UPDATE jobkit.run
      SET \(closing("1", failed: end.isFailure ? "1" : "0", cancelled: end == .cancelled ? "1" : "0", at: now))
      FROM part WHERE id = part.run
      """
    // A run of which a part has failed fails, whenever the others end, and people are told of a run once.
    let failed: Statement = """
      \(part), run AS (\(run) RETURNING id, job, parts_failed, parts_left), noticed AS (
        \(noticing("'failed', job, id, 1 FROM run WHERE parts_failed = 1", at: now))
      )
      SELECT parts_left FROM run
      """
    let unfailed: Statement = """
      \(part), run AS (\(run) RETURNING parts_left)
      SELECT parts_left, CASE WHEN parts_left > 0 THEN set_config('synchronous_commit', 'off', true) END
      FROM run
      """
    let finished = try connection.run(keepingPlanOf: end.isFailure ? failed : unfailed)
    guard let row = finished.first else { throw FenceLost(fence: claim.fence) }
    return try row["parts_left", as: Int.self] == 0
  }

  /// Writes that parts of one run have succeeded; returns those that were still ours, with all that was
  /// saved, and whether the run is over with them.
  package static func finish(
    _ claims: [Claim], at now: Statement, on connection: borrowing Connection
  ) throws(PostgresError) -> (ours: Set<Fence>, endTheRun: Bool) {
    let rows = try connection.run(
      """
      WITH held AS (\(locking(claims.map(\.fence)))), ended AS (
        UPDATE jobkit.part
        SET state = 'succeeded', finished_at = \(now), error = NULL, daemon = NULL,
          lease_until = NULL, slot = NULL, \(lettingGo(at: now))
        FROM held JOIN \(claims.table) USING (run, number)
        WHERE (part.run, part.number) = (held.run, held.number)
          AND (part.daemon, part.done, part.counter_values)
            = (claim.daemon, claim.done, claim.counter_values::bigint[])
          AND part.cursor IS NOT DISTINCT FROM claim.cursor
        RETURNING part.run, part.number, part.epoch
      ), counted AS (
        SELECT run, count(*)::integer AS ended FROM ended GROUP BY run
      ), closed AS (
        UPDATE jobkit.run
        SET \(closing("ended", failed: "0", cancelled: "0", at: now))
        FROM counted WHERE id = counted.run RETURNING id, parts_left
      )
      SELECT run, number, epoch, parts_left FROM ended JOIN closed ON id = run
      """)
    var ours: Set<Fence> = []
    var endTheRun = false
    for row in rows {
      ours.insert(
        Fence(run: try row["run"], part: try row["number"], epoch: try row["epoch"]))
      endTheRun = try row["parts_left", as: Int.self] == 0
    }
    return (ours, endTheRun)
  }

  /// Gives a part back: it is due again after `wait`, from what the ledger remembers of it.
  package static func release(
    _ claim: Claim, because reason: ReleaseReason, after wait: Duration, at now: Statement,
    on connection: borrowing Connection
  ) throws {
    let given = try connection.run(
      keepingPlanOf: """
        UPDATE jobkit.part
        SET state = 'due', not_before = \(now) + make_interval(secs => \(wait / .seconds(1))),
          error = \(reason.error), failures = failures + \(reason.isFailure ? 1 : 0), daemon = NULL,
          lease_until = NULL, slot = NULL, \(lettingGo(at: now))
        WHERE \(claim.isOurs)
        """)
    guard given.affected == 1 else { throw FenceLost(fence: claim.fence) }
  }

  /// The columns of a run after some of its parts have ended: `ended` in all, of which some `failed`
  /// and some were `cancelled`, each a number in SQL.
  ///
  /// A run is what its parts came to. One that was asked to end when its work was already done has
  /// succeeded, and one of which a part failed has failed, whatever was asked.
  static func closing(
    _ ended: Statement, failed: Statement, cancelled: Statement, at now: Statement
  ) -> Statement {
    """
      parts_left = parts_left - \(ended), parts_failed = parts_failed + \(failed),
      parts_cancelled = parts_cancelled + \(cancelled),
      state = CASE
        WHEN parts_left > \(ended) THEN state
        WHEN parts_failed + \(failed) > 0 THEN 'failed'
        WHEN parts_cancelled + \(cancelled) > 0 THEN 'cancelled'
        ELSE 'succeeded' END,
      reason = CASE
        WHEN parts_left > \(ended) OR parts_failed + \(failed) > 0
          OR parts_cancelled + \(cancelled) = 0 THEN reason
        ELSE coalesce('cancelled by ' || cancel_asked_by, 'cancelled by the job itself') END,
      finished_at = CASE WHEN parts_left > \(ended) THEN NULL ELSE \(now) END
    """
  }
}

extension String {
  /// An error as the ledger has it: with its control characters spelt out, but for the ends of its lines.
  ///
  /// It quotes what anybody may have written, and whatever reads it shows it: programs of JSON and receivers of
  /// messages, too.
  package var asErrorOfAPart: String {
    replacing("\t", with: " ")
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { String($0).withVisibleControls }.joined(separator: "\n")
  }
}

/// How a part ended for good.
package enum PartEnd: Sendable, Equatable {
  case succeeded
  case cancelled
  case failed(String)

  var state: PartState {
    switch self {
    case .succeeded: .succeeded
    case .cancelled: .cancelled
    case .failed: .failed
    }
  }

  var error: String? {
    if case .failed(let error) = self { error.asErrorOfAPart } else { nil }
  }

  var isFailure: Bool { error != nil }
}

/// Why a part is given back to be claimed again.
package enum ReleaseReason: Sendable, Equatable {
  /// Its daemon drains: no failure, and no sign of a crash either.
  case drained

  /// It failed and is tried again.
  case failed(String)

  var error: String? {
    if case .failed(let error) = self { error.asErrorOfAPart } else { nil }
  }

  var isFailure: Bool { error != nil }
}

extension Ledger {
  /// The columns of a part that a worker lets go of, in SQL: the time that it had it in its hands is added up.
  ///
  /// What a worker of an older program began is not known.
  static func lettingGo(at now: Statement) -> Statement {
    """
    began_at = NULL, worked = worked + CASE WHEN last_epoch = epoch AND began_at < \(now)
      THEN (extract(epoch FROM \(now) - began_at) * 1000000)::bigint ELSE 0 END
    """
  }

  /// The same of a part whose claim is void from here on, as its worker is lost or nobody has it.
  ///
  /// Who had it last stays known under the new number. Until its lease was over the worker may have worked.
  static func losingDaemon(at now: Statement) -> Statement {
    """
    epoch = epoch + 1, last_epoch = CASE WHEN last_epoch = epoch THEN epoch + 1 ELSE last_epoch END,
      \(lettingGo(at: "least(\(now), lease_until)"))
    """
  }
}
