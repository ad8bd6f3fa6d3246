package import Postgres

/// Something that a role needs and lacks: a table or a column that is not there, or a right to one.
package struct MissingRight: Equatable {
  /// Who needs it.
  package let owner: String
  package let table: String
  package let right: String
  package let isTableThere: Bool

  /// The columns that it needs and that the table does not have.
  package let columns: [String]

  /// Whether `worker migrate up` made the table: it then grants what its jobs need.
  package let isMigrated: Bool
  package let role: String
}

extension MissingRight {
  /// What the role of a connection lacks of all this, in the order of the tables.
  ///
  /// It reads the catalog alone, and fails for no table that is not there.
  package static func all(
    of needs: [(owner: String, need: TableNeed)], on connection: borrowing Connection
  ) throws(PostgresError) -> [MissingRight] {
    let all = needs.flatMap { owner, need in
      need.pieces.map { (owner: owner, place: need.place, piece: $0) }
    }
    let rows = try connection.run(question(about: all))
    var missing: [MissingRight] = []
    for row in rows { missing.append(try MissingRight(row)) }
    return missing
  }

  private init(_ row: Row) throws(PostgresError) {
    self.init(
      owner: try row["owner"], table: try row["table"], right: try row["right"],
      isTableThere: try row["is_there"], columns: try row["columns"],
      isMigrated: try row["is_migrated"], role: try row["role"])
  }

  /// A right to one column of a table, or to all of it, and who needs it.
  private typealias Piece = (
    owner: String, place: (schema: String, name: String), piece: (right: String, column: String)
  )

  private static func question(about all: [Piece]) -> Statement {
    """
    SELECT current_user::text AS role, owner, needed.schema || '.' || needed.name AS "table", "right",
      bool_and(class.oid IS NOT NULL) AS is_there,
      coalesce(array_agg("column" ORDER BY place)
        FILTER (WHERE class.oid IS NOT NULL AND "column" <> '' AND attnum IS NULL), '{}') AS columns,
      bool_or(EXISTS (
        SELECT FROM pg_catalog.pg_class AS other
        WHERE other.relnamespace = space.oid AND other.relname = 'migration')) AS is_migrated
    FROM unnest(\(all.map(\.owner)), \(all.map(\.place.schema)), \(all.map(\.place.name)),
        \(all.map(\.piece.right)), \(all.map(\.piece.column)))
      WITH ORDINALITY AS needed (owner, schema, name, "right", "column", place)
    LEFT JOIN pg_catalog.pg_namespace AS space ON space.nspname = needed.schema
    LEFT JOIN pg_catalog.pg_class AS class
      ON class.relnamespace = space.oid AND class.relname = needed.name
    LEFT JOIN pg_catalog.pg_attribute AS attribute
      ON attribute.attrelid = class.oid AND attribute.attname = needed."column"
        AND NOT attribute.attisdropped
    WHERE coalesce(NOT (pg_catalog.has_schema_privilege(space.oid, 'USAGE')
      AND CASE "column" WHEN '' THEN pg_catalog.has_table_privilege(class.oid, "right")
        ELSE pg_catalog.has_column_privilege(class.oid, attribute.attnum, "right") END), true)
    GROUP BY owner, needed.schema, needed.name, "right"
    ORDER BY owner, "table", min(place)
    """
  }
}

extension MissingRight {
  package var absentColumns: [String] { columns.map { "\(table).\($0)" } }

  /// Whether all is there, and the role may not use it.
  package var isDenied: Bool { isTableThere && columns.isEmpty }
}

extension [MissingRight] {
  /// What one owner lacks, in words, with what to do about it; nothing when it lacks nothing.
  package var reason: String? {
    let gone = Self.listed(filter { !$0.isTableThere }.map(\.table))
    let old = Self.listed(flatMap(\.absentColumns))
    let denied = Self.listed(filter(\.isDenied).map { "\($0.right) on \($0.table)" })
    let sentences = [
      gone.map { "it needs \($0), which the database does not have: restore it" },
      old.map {
        "it needs the column \($0), which the database does not have: 'worker migrate up' as the owner"
          + " brings it"
      },
      denied.map {
        "the role '\(first?.role ?? "")' lacks \($0): \(remedy)"
      },
    ]
    let words = sentences.compactMap(\.self).joined(separator: "; ")
    return words.isEmpty ? nil : words
  }

  /// Tables of an app are for their owner to grant.
  private var remedy: String {
    let denied = filter(\.isDenied)
    guard let first = denied.first, !first.isMigrated else {
      return "'worker migrate up' as the owner grants it"
    }
    let schema = first.table.prefix { $0 != "." }
    let rights = denied.filter { $0.table == first.table }.map(\.right).joined(separator: ", ")
    return "type as the owner 'GRANT USAGE ON SCHEMA \(schema) TO \(first.role);"
      + " GRANT \(rights) ON \(first.table) TO \(first.role)'"
  }

  private static func listed(_ names: [String]) -> String? {
    var names = names.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
    guard !names.isEmpty else { return nil }
    let rest = names.count - 3
    if rest > 0 { names = [String](names.prefix(3)) + ["\(rest) more"] }
    let last = names.removeLast()
    guard !names.isEmpty else { return last }
    return "\(names.joined(separator: ", ")) and \(last)"
  }
}
