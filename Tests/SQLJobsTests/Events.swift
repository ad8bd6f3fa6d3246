import JobKit
import Ledger
import Postgres
import TestKit
import TestSupport

/// A stage with a shop to which events are written, of which each is to be seen once.
extension Stage {
  static func events(_ count: Int) throws -> Stage {
    let stage = try Stage(at: "2026-03-01T03:30:00Z")
    try stage.connection.run(
      script: """
        CREATE SCHEMA shop;
        CREATE TABLE shop.event (
          event_id bigint PRIMARY KEY, received_at timestamptz NOT NULL,
          written_in bigint DEFAULT pg_current_xact_id()::text::bigint);
        CREATE TABLE shop.seen (event_id bigint, as_of timestamptz);
        CREATE TABLE shop.divisor AS SELECT 1 AS n;
        """)
    try stage.receive(1...max(count, 1), at: "2026-02-20T00:00:00Z", if: count > 0)
    return stage
  }

  /// Writes events that were received at an instant.
  func receive(_ numbers: ClosedRange<Int>, at received: String, if isWanted: Bool = true) throws {
    guard isWanted else { return }
    try Self.receive(numbers, at: received, on: connection)
  }

  static func receive(
    _ numbers: ClosedRange<Int>, at received: String, on connection: borrowing Connection
  ) throws {
    try connection.run(
      """
      INSERT INTO shop.event (event_id, received_at)
      SELECT n, \(received)::timestamptz
      FROM generate_series(\(numbers.lowerBound), \(numbers.upperBound)) AS n
      """)
  }

  /// Which events were seen as of which day, and how often one was.
  func seen() throws -> [String] {
    try texts(
      """
      SELECT to_char(as_of, 'MM-DD') || ': ' || string_agg(event_id::text, ' ' ORDER BY event_id)
      FROM shop.seen GROUP BY as_of ORDER BY as_of
      """)
  }

  /// Runs the job a day after the run before.
  func runNextDay(_ job: Described) throws -> String {
    try pass(.seconds(86_400))
    return try run(job).counters.text
  }
}

extension Described {
  /// A job that writes down which events are new.
  static func seeing(_ lines: String = "") throws -> Described {
    try Described(seeingText(lines))
  }

  static func seeingText(_ lines: String = "") -> String {
    """
    [jobs.seeing]
    kind = "statement"
    table = "shop.event"
    key = "event_id"
    where = ":since(received_at, written_in)"
    statement = \"\"\"
      INSERT INTO shop.seen (event_id, as_of) SELECT event_id, :moment FROM shop.event
      WHERE event_id IN (:keys)
        AND event_id / coalesce((SELECT n FROM shop.divisor WHERE event_id > 10), 1) > 0
    \"\"\"
    chunk = 10
    every = "1d"
    most = 1000000
    \(lines)
    """
  }
}
