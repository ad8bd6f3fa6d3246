import Postgres

/// What phones say of when something happened.
enum PhoneClock {
  /// Whether `moment`, by a phone's clock, can be told of by what the server received at `receivedAt`.
  ///
  /// Many clocks are some seconds fast, and what was done online arrives within one: so nothing is lost that
  /// seems to come from the next ten minutes. Without zones, as only then an index can be built by it.
  static func canShow(_ moment: Statement, receivedAt: Statement) -> Statement {
    """
    (\(moment) <= \(receivedAt) OR \(moment) AT TIME ZONE 'UTC'
      <= (\(receivedAt) AT TIME ZONE 'UTC') + interval '10 minutes')
    """
  }
}
