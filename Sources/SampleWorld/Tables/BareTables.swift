internal import Postgres

/// Tables without their indexes and constraints, for as long as a transaction fills them.
///
/// A million rows are sorted into an index in a moment, and put into it one by one in minutes.
struct BareTables {
  /// What makes them whole again, in order.
  private let restoring: [String]

  /// Takes everything off `tables` of the schema learning that slows down whoever writes.
  static func strip(
    _ tables: [String], on connection: borrowing Connection
  ) throws(PostgresError) -> BareTables {
    let rows = try connection.run(
      """
      WITH bare AS (
        SELECT oid, format('%s', oid::regclass) AS name FROM pg_class
        WHERE relnamespace = 'learning'::regnamespace AND relname = ANY(\(tables))
      )
      SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', name, conname) AS taken,
        format('ALTER TABLE %s ADD CONSTRAINT %I %s', name, conname, pg_get_constraintdef(c.oid)) AS given,
        array_position('{p,u,x,f}', contype::text) AS place
      FROM bare JOIN pg_constraint c ON conrelid = bare.oid WHERE contype IN ('p', 'u', 'x', 'f')
      UNION ALL
      SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid), 3
      FROM bare JOIN pg_index ON indrelid = bare.oid
      WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype <> 'f')
      ORDER BY place, given
      """)
    var restoring: [String] = []
    for row in rows {
      try connection.run(Statement(verbatim: try row["taken"]))
      restoring.append(try row["given"])
    }
    return BareTables(restoring: restoring)
  }

  /// Puts everything back as it was, and checks it.
  func restore(
    within limit: Duration, on connection: borrowing Connection
  ) throws(PostgresError) {
    try connection.run("SET LOCAL maintenance_work_mem = '512MB'")
    for statement in restoring {
      try connection.run(Statement(verbatim: statement), within: limit)
    }
  }
}
