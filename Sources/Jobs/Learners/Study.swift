import Postgres

/// Which rows of the sessions can be what they say.
enum Study {
  /// Whether the session `row` can be, as a condition on its columns.
  ///
  /// Wherever on Earth it ended, its day is at most one off the day in UTC: a phone that goes by another
  /// calendar, or by none, would begin streaks in other centuries.
  static func canBe(_ row: Statement) -> Statement {
    """
    (\(row).started_at <= \(row).ended_at AND \(isNotAhead(row))
      AND \(row).local_day BETWEEN \(dayBefore(row)) AND \(dayInUTC(row)) + 1)
    """
  }

  /// Why the session `row` cannot be, in one word.
  static func flaw(of row: Statement) -> Statement {
    """
    CASE WHEN \(row).ended_at < \(row).started_at THEN 'ends_before_it_starts'
      WHEN NOT \(isNotAhead(row)) THEN 'ends_after_it_was_received'
      ELSE 'ends_on_another_day' END
    """
  }

  private static func isNotAhead(_ row: Statement) -> Statement {
    PhoneClock.canShow("\(row).ended_at", receivedAt: "\(row).server_received_at")
  }

  /// The first date of Postgres has none before it.
  private static func dayBefore(_ row: Statement) -> Statement {
    "greatest(\(dayInUTC(row)), '4714-11-25 BC') - 1"
  }

  private static func dayInUTC(_ row: Statement) -> Statement {
    "(\(row).ended_at AT TIME ZONE 'UTC')::date"
  }
}
