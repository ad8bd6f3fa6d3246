import JobKit
import Postgres
import TestKit
import TestSupport

/// A stage with a shop whose purchases are counted by day.
extension Stage {
  static func purchases() throws -> Stage {
    let stage = try Stage(at: "2026-03-01T03:30:00Z")
    try stage.connection.run(
      script: """
        CREATE SCHEMA shop;
        CREATE TABLE shop.purchase (
          purchase_id bigint PRIMARY KEY, bought_at timestamp NOT NULL, amount bigint NOT NULL,
          received_at timestamptz NOT NULL DEFAULT '2026-02-28Z',
          written_in bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint);
        CREATE TABLE shop.day (
          day date PRIMARY KEY, purchases integer NOT NULL, amount numeric(10, 2) NOT NULL);
        INSERT INTO shop.purchase (purchase_id, bought_at, amount)
        SELECT n, timestamp '2026-02-01' + n % 7 * interval '1 day', n
        FROM generate_series(1, 70) AS n;
        """)
    return stage
  }

  func buy(_ number: Int, on day: String, for amount: Int) throws {
    try connection.run(
      """
      INSERT INTO shop.purchase (purchase_id, bought_at, amount)
      VALUES (\(number), \(day)::timestamp, \(amount))
      """)
  }

  /// What is kept of a day, or nothing.
  func kept(of day: String) throws -> String? {
    try texts("SELECT purchases || ' for ' || amount FROM shop.day WHERE day = \(day)::date").first
  }
}

extension Described {
  /// A job that counts purchases by day.
  static func counting(_ lines: String = "", changed: String = "received_at, written_in") throws
    -> Described
  { try Described(countingText(lines, changed: changed)) }

  static func countingText(
    _ lines: String = "", changed: String = "received_at, written_in"
  ) -> String {
    """
    [jobs.days]
    kind = "roll_up"
    table = "shop.purchase"
    into = "shop.day"
    key = "day"
    by = "bought_at::date"
    select = \"\"\"
      SELECT bought_at::date AS day, count(*) AS purchases, sum(amount) AS amount
      FROM shop.purchase WHERE bought_at::date IN (:keys) GROUP BY 1 -- a day
    \"\"\"
    changed = "\(changed)"
    every = "1d"
    most = 1000
    \(lines)
    """
  }
}
