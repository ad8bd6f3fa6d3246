internal import LocalTime
internal import Postgres

extension TableName {
  /// The partitions whose range ends first, first; throws where they are not of a range of time.
  func partitions(_ ask: (Statement) throws -> Rows) throws -> [Partition] {
    guard let row = try ask(kind).first else { throw PartitionFault.noTable(words) }
    let (strategy, type): (String, String?) = (try row["strategy"], try row["type"])
    guard strategy.hasPrefix("RANGE"), let end = Self.end(of: type) else {
      throw PartitionFault.notByTime(words, strategy: strategy)
    }
    return try ask(list(endingAt: end)).map { row in
      Partition(
        schema: try row["schema"], name: try row["name"], end: try row["until"],
        rows: try row["rows"], owner: try row["owner"])
    }
  }

  /// The end of a range as an instant, by the type of its column: without a zone it is in UTC.
  private static func end(of type: String?) -> Statement? {
    switch type {
    case "timestamp with time zone": "bound.until::timestamptz"
    case "date", "timestamp without time zone": "bound.until::timestamp AT TIME ZONE 'UTC'"
    default: nil
    }
  }

  private var kind: Statement {
    """
    SELECT pg_get_partkeydef(class.oid) AS strategy, (
      SELECT format_type(atttypid, NULL) FROM pg_attribute
      WHERE attrelid = class.oid AND attnum = partattrs[0] AND partnatts = 1
    ) AS type
    FROM pg_partitioned_table JOIN pg_class AS class ON class.oid = partrelid
    JOIN pg_namespace AS space ON space.oid = relnamespace
    WHERE nspname = \(schema) AND relname = \(name)
    """
  }

  private func list(endingAt end: Statement) -> Statement {
    """
    SELECT space.nspname::text AS schema, part.relname::text AS name,
      CASE WHEN isfinite(\(end)) THEN \(end) END AS until, pg_get_userbyid(part.relowner)::text AS owner,
      CASE WHEN part.reltuples >= 0 THEN part.reltuples::bigint END AS rows
    FROM pg_inherits
    JOIN pg_class AS class ON class.oid = inhparent
    JOIN pg_namespace AS home ON home.oid = class.relnamespace
    JOIN pg_class AS part ON part.oid = inhrelid AND part.relkind IN ('r', 'p')
    JOIN pg_namespace AS space ON space.oid = part.relnamespace
    CROSS JOIN LATERAL (
      SELECT substring(pg_get_expr(part.relpartbound, part.oid) FROM $r$TO \\('([^']*)'\\)$$r$) AS until
    ) AS bound
    WHERE home.nspname = \(schema) AND class.relname = \(name) AND NOT inhdetachpending
    ORDER BY until, schema, name
    """
  }
}
