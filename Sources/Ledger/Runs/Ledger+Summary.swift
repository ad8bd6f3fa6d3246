internal import JobKit
internal import LocalTime
public import Postgres

extension Ledger {
  /// What became of the ticks of every job that the ledger knows, by name.
  public static func summaries(
    on connection: borrowing Connection
  ) throws(PostgresError) -> [JobSummary] {
    var summaries: [JobName: JobSummary] = [:]
    for row in try connection.run(Self.ticksByState) {
      let job: JobName = try row["job"]
      summaries[job, default: JobSummary(of: job)].add(
        try row["ticks"], try row["state"], from: try row["first"], through: try row["last"])
    }
    for row in try connection.run(Self.counts) {
      let job: JobName = try row["job"]
      summaries[job, default: JobSummary(of: job)].counters.count(
        try row["name"], try row["count"])
    }
    return summaries.values.sorted { $0.job < $1.job }
  }

  private static let ticksByState: Statement = """
    SELECT job, coalesce(fate, state) AS state, sum(ticks)::bigint AS ticks,
      min(coalesce(first_tick, scheduled_for)) AS first, max(scheduled_for) AS last
    FROM jobkit.run
    WHERE trigger NOT IN ('manual', 'request')
    GROUP BY job, coalesce(fate, state)
    """

  private static let counts: Statement = """
    SELECT job, name, sum(value)::bigint AS count
    FROM jobkit.part, unnest(counter_names, counter_values) AS counter (name, value)
    GROUP BY job, name ORDER BY job, name
    """
}
