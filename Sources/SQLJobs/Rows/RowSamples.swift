internal import JobKit
internal import Postgres

/// Rows as they were before a chunk, to be shown in a dry run beside what becomes of them.
struct RowSamples {
  private let walk: RowWalk
  private let columns: [String]
  private let rows: [(key: String, texts: [String?])]

  /// As many as one looks at.
  private static let most = 10

  init(
    _ walk: RowWalk, after cursor: String?, in share: Statement,
    on connection: borrowing Connection
  ) throws {
    self.walk = walk
    columns = walk.rows.shownColumns
    let found = try connection.run(
      walk.samples(of: columns, after: cursor, in: share, upTo: Self.most),
      asIfBy: walk.rows.role)
    rows = try found.map { (try $0["key"], try $0["texts"]) }
  }

  /// Adds each to the examples, with what is different after the chunk.
  func show(in progress: inout Progress, on connection: borrowing Connection) throws {
    for row in rows where progress.wantsExamples {
      let after = try connection.run(
        walk.values(of: columns, key: row.key), asIfBy: walk.rows.role
      ).first
      let texts: [String?]? = try after.map { try $0["texts"] }
      progress.addExample(words(row.key, before: row.texts, after: texts))
    }
  }

  private func words(_ key: String, before: [String?], after: [String?]?) -> String {
    let name = walk.table.name(ofKey: key)
    let told = walk.rows.explanation.map { "; \($0.words(columns: columns, texts: before))" } ?? ""
    if case .statement = walk.rows.change { return "\(name): chosen\(told)" }
    guard let after else { return "\(name): deleted\(told)" }
    let changes = columns.indices.filter { before[$0] != after[$0] }.map { index in
      "\(columns[index]) \(before[index].shown) -> \(after[index].shown)"
    }
    let words = changes.isEmpty ? "as it was" : changes.joined(separator: ", ")
    return "\(name): \(words)\(told)"
  }
}

extension RowJob {
  /// The columns whose values may be shown: those that get new values, and those that the settings name for it.
  var shownColumns: [String] {
    let assigned: [String] = if case .set(let text) = change { text.assignedColumns } else { [] }
    let named = explanation?.columns ?? []
    return assigned + named.filter { !assigned.contains($0) }
  }
}

extension String? {
  /// A value as it is shown to people.
  var shown: String { map { $0.count > 60 ? "'\($0.prefix(60))…'" : "'\($0)'" } ?? "null" }
}
