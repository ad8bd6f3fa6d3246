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
    columns = walk.job.shownColumns
    let found = try connection.run(
      walk.samples(of: columns, after: cursor, in: share, upTo: Self.most),
      asIfBy: walk.job.role)
    rows = try found.map { (try $0["key"], try $0["texts"]) }
  }

  /// Adds each to the examples, with what is different after the chunk.
  func show(in progress: inout Progress, on connection: borrowing Connection) throws {
    for row in rows where progress.wantsExamples {
      let after = try walk.row(of: row.key, columns: columns, on: connection)
      progress.addExample(words(row.key, before: row.texts, after: after))
    }
  }

  private func words(_ key: String, before: [String?], after: [String?]?) -> String {
    let name = walk.table.name(ofKey: key)
    let told = walk.job.explanation.map { "; \($0.words(columns: columns, texts: before))" } ?? ""
    if case .statement = walk.job.change { return "\(name): chosen\(told)" }
    return "\(name): \(columns.change(from: before, to: after))\(told)"
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

extension [String] {
  /// What is different between two rows of these columns, in words.
  func change(from before: [String?]?, to after: [String?]?) -> String {
    guard let after else { return before == nil ? "none" : "deleted" }
    let changes = indices.filter { before == nil || before?[$0] != after[$0] }.map { index in
      before.map { "\(self[index]) \($0[index].shown) -> \(after[index].shown)" }
        ?? "\(self[index]) \(after[index].shown)"
    }
    guard !changes.isEmpty else { return "as it was" }
    return (before == nil ? "new: " : "") + changes.joined(separator: ", ")
  }
}

extension String? {
  /// A value as it is shown to people.
  var shown: String { map { $0.count > 60 ? "'\($0.prefix(60))…'" : "'\($0)'" } ?? "null" }
}
