internal import Postgres

/// A table that has a schema.
protocol NamedTable: Sendable, Equatable {
  var schema: String { get }
  var name: String { get }
}

extension NamedTable {
  /// As in `shop.cart`.
  var words: String { "\(schema).\(name)" }

  var statement: Statement { "\(identifier: schema).\(identifier: name)" }
}

struct TableName: NamedTable {
  let schema: String
  let name: String
}

/// The table that a job works at, and the columns by which it goes through its rows.
struct SQLTable: NamedTable {
  let schema: String
  let name: String

  /// The columns of a unique index, in its order.
  let key: [String]

  init(_ name: TableName, key: [String]) {
    (schema, self.name, self.key) = (name.schema, name.name, key)
  }

  /// The columns of the key with commas between them; each with `suffix`.
  func columns(_ suffix: Statement = "") -> Statement {
    key.map { "\(identifier: $0)\(suffix)" as Statement }.joined(by: ", ")
  }

  /// The key of a row as one text, which can be read again.
  var keyText: Statement { "ARRAY[\(columns("::text"))]::text" }

  /// The column that decides in which part a row is.
  var first: Statement { "\(identifier: key[0])" }

  /// The key that somebody wrote as the database writes it; a key of one column may hold commas.
  func keyText(
    of written: String, on connection: borrowing Connection
  ) throws -> String {
    let values =
      key.count == 1
      ? [written] : written.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard values.count == key.count else { throw NoSuchRow(key: written, table: self) }
    return try connection.run("SELECT \(values)::text").only[0]
  }

  /// As in `cart_id 17`, of a key as the database writes it.
  func name(ofKey text: String) -> String {
    "\(key.joined(separator: ", ")) \(text.dropFirst().dropLast())"
  }
}

/// What the database knows of the table of a job.
struct SQLTableFacts: Sendable, Equatable {
  let columns: [String]

  /// The type of each column.
  let types: [String]

  /// The type of each column of the key.
  let keyTypes: [String]
  let rows: Double
}

extension SQLTableFacts {
  /// Looks up the table, or throws why a job cannot go through its rows by the key.
  ///
  /// Without a unique index a chunk would read the whole table, and rows with equal keys would be passed over.
  static func read(
    of table: SQLTable, _ ask: (Statement) throws -> Rows
  ) throws -> SQLTableFacts {
    guard let row = try ask(question(table)).first else {
      throw SQLTableFault.noTable(table.words)
    }
    let columns: [String] = try row["columns"]
    let types: [String] = try row["types"]
    let required: [Bool] = try row["required"]
    for column in table.key {
      guard let index = columns.firstIndex(of: column) else {
        throw SQLTableFault.noColumn(column, table: table.words, known: columns)
      }
      guard required[index] else { throw SQLTableFault.mayBeNull(column, table: table.words) }
    }
    guard try row["is_unique"] else { throw SQLTableFault.noIndex(table.words, key: table.key) }
    return SQLTableFacts(
      columns: columns, types: types,
      keyTypes: table.key.map { column in types[columns.firstIndex(of: column) ?? 0] },
      rows: try row["rows"])
  }

  private static func question(_ table: SQLTable) -> Statement {
    """
    SELECT list.columns, list.types, list.required, class.reltuples::float8 AS rows,
      EXISTS (
        SELECT FROM pg_index AS index
        WHERE indrelid = class.oid AND indisunique AND indisvalid AND indpred IS NULL
          AND \(table.key) = ARRAY(
            SELECT attname::text FROM unnest(indkey::int2[]) WITH ORDINALITY AS part (number, place)
            JOIN pg_attribute ON attrelid = class.oid AND attnum = part.number
            WHERE place <= indnkeyatts ORDER BY place)
      ) AS is_unique
    FROM pg_class AS class JOIN pg_namespace AS space ON space.oid = relnamespace
    CROSS JOIN LATERAL (
      SELECT array_agg(attname::text ORDER BY attnum) AS columns,
        array_agg(format_type(atttypid, atttypmod) ORDER BY attnum) AS types,
        array_agg(attnotnull ORDER BY attnum) AS required
      FROM pg_attribute WHERE attrelid = class.oid AND attnum > 0 AND NOT attisdropped
    ) AS list
    WHERE nspname = \(table.schema) AND relname = \(table.name) AND relkind IN ('r', 'p')
    """
  }

  /// Throws where a run of several parts, or for a share of the rows, has no number to divide them by.
  func requireShares(of table: SQLTable, parts: Int, percent: Int) throws(SQLTableFault) {
    guard parts > 1 || percent < 100, !Self.numbers.contains(keyTypes[0]) else { return }
    throw .noNumber(table.key[0], type: keyTypes[0])
  }

  private static let numbers: Set = ["smallint", "integer", "bigint"]

  /// The key that a text holds, with its types, as a row that others can be compared with.
  func row(ofKey text: String) -> Statement {
    "(\(keyTypes.indices.map { value($0, ofKey: text) }.joined(by: ", ")))"
  }

  /// The value of one of its columns.
  func value(_ index: Int, ofKey text: String) -> Statement {
    "(\(text)::text[])[\(index + 1)]::\(verbatim: keyTypes[index])"
  }
}

/// Why a job cannot go through the rows of its table by its key.
package enum SQLTableFault: Error, Equatable {
  case noTable(String)
  case noColumn(String, table: String, known: [String])
  case mayBeNull(String, table: String)
  case noIndex(String, key: [String])
  case noNumber(String, type: String)
  case notCounted(String, table: String)
}

extension SQLTableFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noTable(let table):
      "there is no table '\(table)': create it, or write the name that it has, with its schema"
    case .noColumn(let column, let table, let known):
      "'\(table)' has no column '\(column)': write some of \(known.joined(separator: ", "))"
    case .mayBeNull(let column, let table):
      "'\(table).\(column)' may be NULL, and a row without a key is never reached: write a key that is NOT NULL"
    case .noIndex(let table, let key):
      "'\(table)' has no unique index on (\(key.joined(separator: ", "))):"
        + " write the columns of one in its order, such as those of the primary key"
    case .noNumber(let column, let type):
      "'\(column)' is of type \(type), and only rows with a whole number in the key's first column can be divided:"
        + " set 'parts' to 1 and 'percent' to 100"
    case .notCounted(let column, let table):
      "it gives no column '\(column)', which is of the key of '\(table)': give every column of the key its name"
    }
  }
}
