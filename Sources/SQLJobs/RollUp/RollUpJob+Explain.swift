internal import Config
internal import JobKit
internal import LocalTime
internal import Postgres

extension RollUpJob {
  func explain(
    key: String, at now: Instant, in zones: ZoneDatabase, from memory: any JobMemory,
    _ connection: borrowing Connection
  ) throws -> KeyExplanation {
    let (walk, text) = try walk(to: key, at: now, in: zones, from: memory, on: connection)
    let found: Int = try connection.run(walk.newRows(in: text), asIfBy: role).only[0]
    let columns = try connection.run(walk.counted, asIfBy: role).columnNames
      .filter { !table.key.contains($0) }
    let before = try walk.row(of: text, columns: columns, on: connection)
    let counted = walk.counted(for: text, columns: columns)
    let after: [String?]? = try connection.run(counted, asIfBy: role).first
      .map { try $0["texts"] }
    let name = table.name(ofKey: text)
    let mark = walk.values.newRows?.mark
    let since = mark.map { " since the run as of \($0.seenUntil)" } ?? ""
    let change = columns.change(from: before, to: after)
    return KeyExplanation(
      lines: [
        "a run as of \(now) would \(found > 0 ? "count" : "leave") the group \(name) of \(table.words)",
        "\(found.counted("row")) of \(source.words) in it \(found == 1 ? "is" : "are") new\(since)",
        "counted now, its row would be: \(change)",
      ],
      facts: [
        "job": .string(definition.name.text), "table": .string(table.words), "group": .string(name),
        "moment": .string("\(now)"), "new_rows": .integer(found),
        "since": JSON(mark.map { "\($0.seenUntil)" }), "counted_now": .string(change),
      ])
  }
}

extension RollUpWalk {
  /// How many rows of a group are new.
  fileprivate func newRows(in key: String) -> Statement {
    let columns = zip(facts.keyTypes, job.groups).map { type, group in
      "(\(group.statement(with: values)))::\(verbatim: type)" as Statement
    }
    return """
      SELECT count(*) FROM \(job.source.statement)
      WHERE (\(columns.joined(by: ", "))) = \(facts.row(ofKey: key)) AND \(isNew)
      """
  }
}
