package import LocalTime
package import Postgres

extension Ledger {
  /// The parts that nobody works at yet.
  package struct Waiting: Sendable, Equatable {
    package var count = 0

    /// How many of them may be claimed, if no other run of their job goes on.
    package var due = 0

    /// When the first of the others may be claimed.
    package var next: Instant?

    /// Whether there may be one to claim at `now`.
    package func isDue(at now: Instant) -> Bool {
      due > 0 || next.map { $0 <= now } ?? false
    }

    package init(count: Int = 0, due: Int = 0, next: Instant? = nil) {
      (self.count, self.due, self.next) = (count, due, next)
    }
  }

  /// What waits at `now`, for its moment or for another run.
  package static func waiting(
    at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Waiting {
    let row = try connection.run(
      keepingPlanOf: """
        SELECT count(*) AS count, count(*) FILTER (WHERE not_before <= \(now)) AS due,
          min(not_before) FILTER (WHERE not_before > \(now)) AS next
        FROM jobkit.part WHERE state = 'due'
        """
    ).only
    return Waiting(count: try row["count"], due: try row["due"], next: try row["next"])
  }
}
