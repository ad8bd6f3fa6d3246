internal import Config
internal import JobKit
internal import LocalTime
internal import Postgres

extension RowJob {
  func explain(
    key: String, at now: Instant, in zones: ZoneDatabase, from memory: any JobMemory,
    _ connection: borrowing Connection
  ) throws -> KeyExplanation {
    let (walk, text) = try walk(to: key, at: now, in: zones, from: memory, on: connection)
    let parts = condition.conjuncts
    let conditions = parts.map { part in
      condition.statement(of: range(of: part), with: walk.values)
    }
    let columns = (parts.flatMap { self.columns(in: $0, of: walk.facts) } + shownColumns).unique
    let question = walk.verdicts(on: conditions, key: text)
    guard let row = try connection.run(question, asIfBy: role).first,
      let texts = try walk.row(of: text, columns: columns, on: connection)
    else { throw NoSuchRow(key: key, table: table) }
    let verdicts: [Bool?] = try row["verdicts"]
    return explanation(
      of: table.name(ofKey: text), at: now,
      conjuncts: zip(parts, verdicts).map { part, verdict in
        Conjunct(
          sql: condition.sql(of: part), verdict: verdict,
          columns: self.columns(in: part, of: walk.facts).map { name in
            (name, columns.firstIndex(of: name).flatMap { texts[$0] })
          })
      }, sentence: explanation?.words(columns: columns, texts: texts))
  }

  /// One of the conditions that all have to be true, as it is of one row.
  private struct Conjunct {
    let sql: String
    let verdict: Bool?
    let columns: [(name: String, value: String?)]

    var words: String {
      let names = columns.map { "\($0.name) is \($0.value.shown)" }.joined(separator: ", ")
      let text = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return "\(verdict.said): \(text)" + (names.isEmpty ? "" : " (\(names))")
    }
  }

  private func explanation(
    of name: String, at now: Instant, conjuncts: [Conjunct], sentence: String?
  ) -> KeyExplanation {
    let matches = conjuncts.allSatisfy { $0.verdict == true }
    let head =
      "a run as of \(now) would \(matches ? change.verb : "leave") the row \(name) of \(table.words)"
    return KeyExplanation(
      lines: [head] + conjuncts.map(\.words) + [sentence].compactMap(\.self),
      facts: [
        "job": .string(definition.name.text), "table": .string(table.words), "row": .string(name),
        "moment": .string("\(now)"), "matches": .boolean(matches),
        "conditions": .array(
          conjuncts.map { conjunct in
            [
              "sql": .string(conjunct.sql),
              "is": conjunct.verdict.map { .boolean($0) } ?? nil,
              "values": .object(conjunct.columns.map { .init($0.name, JSON($0.value)) }),
            ]
          }),
        "says": JSON(sentence),
      ])
  }

  private func range(of tokens: ArraySlice<SQLToken>) -> Range<Int> {
    (tokens.first?.range.lowerBound ?? 0)..<(tokens.last?.range.upperBound ?? 0)
  }

  /// The columns of the table that a condition names.
  private func columns(in tokens: ArraySlice<SQLToken>, of facts: SQLTableFacts) -> [String] {
    tokens.compactMap(\.name).filter(facts.columns.contains).unique
  }
}

extension SQLTableFacts {
  /// Refuses what the key's types cannot read, as `abc` where a number stands.
  func require(
    _ key: String, as text: String, of table: SQLTable, asIfBy role: String?,
    on connection: borrowing Connection
  ) throws {
    do throws(PostgresError) {
      try connection.run("SELECT \(row(ofKey: text))", asIfBy: role)
    } catch {
      guard let report = error.report, report.sqlState.hasPrefix("22") else { throw error }
      throw UnreadableKey(key: key, table: table, problem: report.message)
    }
  }
}

extension [String] {
  fileprivate var unique: [String] {
    reduce(into: []) { list, text in if !list.contains(text) { list.append(text) } }
  }
}

extension Bool? {
  fileprivate var said: String { map { $0 ? "true" : "false" } ?? "unknown" }
}

/// No row has the key that somebody asks about.
package struct NoSuchRow: Error, Equatable, CustomStringConvertible {
  let key: String
  let table: SQLTable

  package var description: String {
    "'\(table.words)' has no row whose \(table.keyWords) is \(key.inQuotes)\(table.howToWriteKey)"
  }
}

/// What somebody wrote cannot be a key of the table.
package struct UnreadableKey: Error, Equatable, CustomStringConvertible {
  let key: String
  let table: SQLTable
  let problem: String

  package var description: String {
    "\(key.inQuotes) cannot be the \(table.keyWords) of a row of '\(table.words)': \(problem)"
      + table.howToWriteKey
  }
}

extension SQLTable {
  fileprivate var keyWords: String { key.joined(separator: ",") }

  fileprivate var howToWriteKey: String {
    key.count > 1 ? "; write a value for each of these columns, with a comma between two" : ""
  }
}
