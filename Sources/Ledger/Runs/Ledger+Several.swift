public import JobKit
public import LocalTime
public import Postgres

extension Ledger {
  /// A run by its number, and whose it is.
  public struct NamedRun: Sendable, Equatable {
    public let id: Int
    public let job: JobName
  }

  /// The runs that are not over, of one job or of all, in the order of their numbers.
  public static func openRuns(
    of job: JobName? = nil, on connection: borrowing Connection
  ) throws(PostgresError) -> [NamedRun] {
    let isOfJob: Statement = job.map { "job = \($0)" } ?? "true"
    return try named(
      """
      SELECT id, job FROM jobkit.run WHERE (state IN ('due', 'held', 'running') OR state = 'waiting') AND \(isOfJob)
      ORDER BY id
      """, on: connection)
  }

  /// The runs that have failed since a moment, of one job or of all, in the order of their numbers.
  public static func failedRuns(
    of job: JobName? = nil, since: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> [NamedRun] {
    let isOfJob: Statement = job.map { "job = \($0)" } ?? "true"
    return try named(
      """
      SELECT id, job FROM jobkit.run
      WHERE state = 'failed' AND finished_at >= \(since) AND \(isOfJob)
      ORDER BY id
      """, on: connection)
  }

  private static func named(
    _ statement: Statement, on connection: borrowing Connection
  ) throws(PostgresError) -> [NamedRun] {
    var runs: [NamedRun] = []
    for row in try connection.run(statement) {
      runs.append(NamedRun(id: try row["id"], job: try row["job"]))
    }
    return runs
  }
}
