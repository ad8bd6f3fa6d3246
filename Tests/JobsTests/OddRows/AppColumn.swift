@testable import JobKit

import Jobs
import Migrations
import Postgres

/// A column that the app fills, as the catalog describes it: a new one is there by itself.
struct AppColumn: Sendable {
  let table: String
  let name: String

  /// The type as SQL spells it.
  let type: String
  let mayBeLeftOut: Bool

  /// The table that the column refers to.
  let references: String?

  /// The conditions that bind the column, as SQL.
  let checks: [String]

  /// The columns that some condition binds together with this one.
  let companions: [String]
}

extension AppColumn {
  /// The columns of all tables that the app writes to, table by table.
  static func all(on connection: borrowing Connection) throws -> [AppColumn] {
    let tables = appTables
    return try connection.run(
      """
      SELECT relname::text, attname::text, format_type(atttypid, atttypmod), NOT attnotnull OR atthasdef,
        coalesce((SELECT max(confrelid::regclass::text) FROM pg_constraint
            WHERE conrelid = attrelid AND contype = 'f' AND conkey = ARRAY[attnum]),
          CASE WHEN attname = 'user_id' AND relname <> 'users' THEN 'learning.users' END),
        ARRAY(SELECT pg_get_constraintdef(oid) FROM pg_constraint
          WHERE conrelid = attrelid AND contype = 'c' AND attnum = ANY(conkey) ORDER BY conname),
        ARRAY(SELECT DISTINCT other.attname::text FROM pg_constraint JOIN pg_attribute AS other
            ON other.attrelid = conrelid AND other.attnum = ANY(conkey)
          WHERE conrelid = pg_attribute.attrelid AND contype = 'c' AND pg_attribute.attnum = ANY(conkey)
            AND other.attnum <> pg_attribute.attnum AND NOT other.attnotnull)
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace = 'learning'::regnamespace AND relname = ANY(\(tables)::text[])
        AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
      ORDER BY relname, attnum
      """
    ).map { row in
      AppColumn(
        table: try row[0], name: try row[1], type: try row[2], mayBeLeftOut: try row[3],
        references: try row[4], checks: try row[5], companions: try row[6])
    }
  }

  /// The tables in which the worker may add no row, and those to which both sides add or in which both change rows.
  static let appTables: [String] = {
    let rights = Schema.learning.rights.ofWorker
    let ofApp = rights.filter { !$0.rights.contains("INSERT") && $0.table != "leaderboard_top" }
    return ofApp.map(\.table).filter { $0 != "migration" }
      + ["notification_events", "reviews", "streak_repairs"]
  }()
}

extension AppColumn {
  /// The texts and numbers that its conditions name: their edges, and the words that are allowed.
  var named: [String] {
    let words = checks.flatMap { check in
      check.matches(of: /'((?:[^']|'')*)'/).map { "'\($0.output.1)'" }
    }
    let numbers = checks.flatMap { check in
      check.matches(of: /[ (](-?[0-9]+)[ ):]/).map { String($0.output.1) }
    }
    return isText || isTime ? words : numbers
  }

  var isText: Bool { type == "text" }
  var isTime: Bool { type == "date" || type.hasPrefix("timestamp") }

  /// A value like any other; `number` tells rows apart.
  func usual(_ number: Int) -> String {
    switch type {
    case "text": checks.contains { $0.contains("ANY (ARRAY") } ? named[0] : usualText(number)
    case "boolean": "true"
    case "date": "'2026-03-03'"
    case "uuid": "gen_random_uuid()"
    case "bigint": "\(number)"
    case "integer": name.hasSuffix("_id") ? "\(number)" : named.first ?? "1"
    case "smallint": named.first ?? "1"
    case "real", "double precision", "numeric": "0.5"
    case "interval": "'1 hour'"
    default: isTime ? "'2026-03-03 12:00Z'" : "NULL"
    }
  }

  private func usualText(_ number: Int) -> String {
    name.hasPrefix("zone") ? "'Asia/Seoul'" : "'a\(number)'"
  }
}
