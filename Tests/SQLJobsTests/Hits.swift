import JobKit
import Postgres
import TestKit
import TestSupport

/// A stage with a shop that writes down what its pages are asked for, in a partition for each month.
extension Stage {
  /// A table with a partition for each of four months, one for all before them, and one for all behind them.
  static func hits(
    _ type: String = "timestamptz", at moment: String = "2026-03-01T03:30:00Z"
  ) throws -> Stage {
    let stage = try Stage(at: moment)
    let months = ["2025-11-01", "2025-12-01", "2026-01-01", "2026-02-01", "2026-03-01"]
    let partitions = zip(months, months.dropFirst()).map { from, to in
      "CREATE TABLE shop.hit_\(from.prefix(7).replacing("-", with: "_")) PARTITION OF shop.hit"
        + " FOR VALUES FROM ('\(from)') TO ('\(to)');"
    }
    try stage.connection.run(
      script: """
        CREATE SCHEMA shop;
        CREATE TABLE shop.hit (at \(type) NOT NULL, n bigint) PARTITION BY RANGE (at);
        \(partitions.joined(separator: "\n"))
        CREATE TABLE shop.hit_ever PARTITION OF shop.hit FOR VALUES FROM (MINVALUE) TO ('2025-11-01');
        CREATE TABLE shop.hit_next PARTITION OF shop.hit FOR VALUES FROM ('2026-03-01') TO (MAXVALUE);
        INSERT INTO shop.hit SELECT '2025-11-01'::timestamp + n * interval '12 hours', n
        FROM generate_series(0, 200) AS n;
        """)
    return stage
  }

  /// The partitions that are left.
  func partitions() throws -> [String] {
    try texts(
      "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'shop.hit'::regclass ORDER BY 1"
    )
  }
}

extension Described {
  /// A job that drops old partitions.
  static func dropping(
    _ lines: String = "", age: String = "30d", most: Int = 3
  ) throws -> Described { try Described(droppingText(lines, age: age, most: most)) }

  static func droppingText(_ lines: String = "", age: String = "30d", most: Int = 3) -> String {
    """
    [jobs.old_hits]
    kind = "drop_partitions"
    table = "shop.hit"
    older_than = "\(age)"
    every = "1d"
    most = \(most)
    \(lines)
    """
  }
}
