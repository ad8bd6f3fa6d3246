import LocalTime
import Postgres

extension Standing {
  init(_ row: Row) throws(PostgresError) {
    self.init(decidedUntil: try row["decided_until"])
    repeatsUntil = try row["repeats_until"]
    hasRunning = try row["has_running"]
    hasWaiting = try row["has_waiting"]
    schedule = try row["schedule"]
    pause = try Pause(row)
    block = try Block(row)
  }
}

extension Block {
  /// What a job's row says that it lacks, or nothing.
  init?(_ row: Row) throws(PostgresError) {
    guard let reason = try row["blocked_because", as: String?.self],
      let since = try row["blocked_since", as: Instant?.self]
    else { return nil }
    self.init(reason: reason, since: since)
  }
}

extension Pause {
  /// The pause that a job's row tells of, or nothing.
  init?(_ row: Row) throws(PostgresError) {
    guard let since = try row["paused_at", as: Instant?.self],
      let author = try row["paused_by", as: String?.self],
      let reason = try row["pause_reason", as: String?.self]
    else { return nil }
    self.init(since: since, author: author, reason: reason, until: try row["paused_until"])
  }
}
