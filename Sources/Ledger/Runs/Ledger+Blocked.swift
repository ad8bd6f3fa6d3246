public import JobKit
package import LocalTime
public import Migrations
public import Postgres

extension Ledger {
  /// Which of these jobs lacks a table or a right that it needs, as the role of the connection finds it.
  public static func blocks(
    of jobs: [(name: JobName, needs: [TableNeed])], on connection: borrowing Connection
  ) throws(PostgresError) -> [JobName: String] {
    let needs = jobs.flatMap { job in job.needs.map { (owner: job.name.text, need: $0) } }
    guard !needs.isEmpty else { return [:] }
    let missing = Dictionary(
      grouping: try MissingRight.all(of: needs, on: connection), by: \.owner)
    return Dictionary(
      uniqueKeysWithValues: jobs.compactMap { job in
        missing[job.name.text]?.reason.map { (job.name, $0) }
      })
  }

  /// Writes down which of `jobs` cannot run and why, and that the others can; returns those of which that is news.
  ///
  /// While nothing changes it locks and writes nothing. People are told when a job becomes blocked.
  package static func record(
    _ blocks: [JobName: String], among jobs: [JobName], at now: Instant,
    on connection: borrowing Connection
  ) throws(PostgresError) -> [(job: JobName, reason: String?)] {
    let rows = try connection.run(
      """
      WITH news AS (
        SELECT job.name, nullif(found.reason, '') AS reason, blocked_because AS was
        FROM jobkit.job JOIN unnest(\(jobs), \(jobs.map { blocks[$0] ?? "" }))
          AS found (name, reason) ON found.name = job.name
        WHERE blocked_because IS DISTINCT FROM nullif(found.reason, '')
        ORDER BY job.name FOR NO KEY UPDATE OF job SKIP LOCKED
      ), noted AS (
        UPDATE jobkit.job SET blocked_because = reason,
          blocked_since = CASE WHEN reason IS NOT NULL THEN coalesce(blocked_since, \(now)) END
        FROM news WHERE job.name = news.name
      ), told AS (
        \(noticing("'blocked', name, NULL::bigint, 1 FROM news WHERE reason IS NOT NULL AND was IS NULL", at: "\(now)"))
      )
      SELECT name, reason FROM news ORDER BY name
      """)
    var news: [(job: JobName, reason: String?)] = []
    for row in rows { news.append((try row["name"], try row["reason"])) }
    return news
  }
}
