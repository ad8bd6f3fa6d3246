package import JobKit
package import Postgres

extension Ledger {
  /// Hands up to `most` due parts to `worker`, those of the highest priority and the longest wait
  /// first; an empty list when nothing is due.
  ///
  /// Two workers may ask at once: each skips the rows that the other has locked. A run that must be
  /// alone waits for the one that goes on and for those before it; were two to open at one instant
  /// all the same, or two parts to take one of the slots that a job has, a unique index refuses the
  /// second, who looks again. When it `isSafe`, it returns once it is on the server's disk, and all that
  /// the connection has committed before.
  package static func claim(
    _ most: Int, of jobs: [JobName], slots: [JobName: Int] = [:], onlyOn run: Int? = nil,
    for daemon: DaemonID, lease: Duration, isSafe: Bool = false, at now: Statement,
    on connection: borrowing Connection
  ) throws(PostgresError) -> [ClaimedPart] {
    let claiming = Claiming(
      most: most, jobs: jobs, slots: slots, run: run, daemon: daemon, lease: lease, now: now,
      isSafe: isSafe)
    for _ in 0..<looks {
      guard let rows = try rows(of: claiming, isOften: most == 1, on: connection) else { continue }
      var parts: [ClaimedPart] = []
      for row in rows { parts.append(try ClaimedPart(row)) }
      if parts.isEmpty { break }
      return parts
    }
    // Nothing was written that the server would wait for.
    if isSafe { try connection.run("SELECT pg_logical_emit_message(true, 'worker', '')") }
    return []
  }

  /// How often a claim looks again when others were faster; the next pass wakes it anyway.
  private static let looks = 5

  /// The rows of a claim, or nothing when another worker was faster.
  ///
  /// A server that hangs must not hold a worker for as long as a statement of its job may take.
  private static func rows(
    of claiming: Claiming, isOften: Bool, on connection: borrowing Connection
  ) throws(PostgresError) -> Rows? {
    let patience = Self.patience(for: claiming.lease)
    let limit = min(connection.statementLimit ?? patience, patience)
    let claim = isOften ? claiming.statement.keepingPlan : claiming.statement
    do throws(PostgresError) {
      return try connection.run(claim, within: limit)
    } catch {
      let guards = ["one_exclusive_run_a_job", "one_part_a_slot"]
      guard let refusing = error.report?.constraint, guards.contains(refusing) else { throw error }
      return nil
    }
  }
}
