import Postgres
import TestKit

extension Stage {
  /// What some tables hold, in a word: tables of the same rows have the same, whoever wrote them when.
  func content(of tables: String...) throws -> [String] {
    try tables.map { table in
      try text(
        """
        SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '')
        FROM learning.\(identifier: table) AS t
        """)
    }
  }

  /// Which versions of their rows some tables hold: it changes with every write, be it of the same.
  func versions(of tables: String...) throws -> [String] {
    try tables.map { table in
      try text(
        """
        SELECT coalesce(md5(string_agg(ctid::text || ' ' || xmin::text, '|' ORDER BY ctid)), '')
        FROM learning.\(identifier: table)
        """)
    }
  }

  /// The plan of a statement, as Postgres explains it.
  func plan(of statement: Statement) throws -> String {
    try connection.run("EXPLAIN \(statement)").map { try $0[0, as: String.self] }
      .joined(separator: "\n")
  }
}
