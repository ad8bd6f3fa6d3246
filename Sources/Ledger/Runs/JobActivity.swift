public import JobKit
internal import Postgres

/// What became of one job in a period: what ran, what did not, and what it counted.
public struct JobActivity: Sendable, Equatable {
  public let job: JobName

  /// How often it was due.
  public package(set) var due: Int
  public let succeeded: Int
  public let failed: Int

  /// How many of those that failed were followed by one that succeeded, be it by hand.
  public let fixed: Int
  public package(set) var missed: Int
  public package(set) var skipped: Int

  /// How many began more than a minute after their moment.
  public let late: Int
  public package(set) var counters = Counters()
}

extension JobActivity {
  /// How often it ran to an end, good or bad.
  public var ran: Int { succeeded + failed }

  /// A job of which the period has no row.
  public init(nothingOf job: JobName) {
    self.job = job
    (due, succeeded, failed, fixed, missed, skipped, late) = (0, 0, 0, 0, 0, 0, 0)
  }

  init(_ row: Row) throws(PostgresError) {
    job = try row["job"]
    due = try row["due"]
    succeeded = try row["succeeded"]
    failed = try row["failed"]
    fixed = try row["fixed"]
    missed = try row["missed"]
    skipped = try row["skipped"]
    late = try row["late"]
  }
}
