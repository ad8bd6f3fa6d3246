internal import Config
internal import JobKit
internal import Postgres

/// A job of the settings that deletes or changes the rows of a table that match, by key, in chunks.
///
/// A key is visited once in a run, so that it ends even where the statement changes nothing of a row.
struct RowJob: KeyedJob {
  let definition: JobDefinition
  let table: SQLTable
  let change: RowChange
  let condition: SQLText
  var count: SQLText?
  var check: SQLText?
  var chunk = 1000
  var mostShare: Double?
  var explanation: RowExplanation?

  /// The role whose rights the statements have, where it is not that of the daemon.
  var role: String?
  let listing: [(key: String, value: String)]
  let text: String
  let places: TablePlaces

  var texts: [SQLText] {
    [condition] + [change.text, count, check].compactMap(\.self)
  }

  var asksWhatIsNew: Bool { texts.contains { $0.names(.since) } }

  func plan(_ context: borrowing JobContext, after basis: RunBasis?) throws -> Int? {
    let walk = try walk(in: context, new: newRows(to: nil, after: basis, in: context))
    let share = context.shareOfAllParts(of: table.first)
    return try query(walk.count(in: share), context).only[0]
  }

  func objection(
    to planned: Int, _ context: borrowing JobContext, after basis: RunBasis?
  ) throws -> String? {
    guard let mostShare, planned > 0 else { return nil }
    let walk = try walk(in: context, new: nil)
    // So many rows make the share, so no more need be counted.
    let enough = Int(min((Double(planned) / mostShare).rounded(.up), 1e15))
    let share = context.shareOfAllParts(of: table.first)
    let rows: Int = try query(walk.size(in: share, upTo: enough), context).only[0]
    guard rows < enough else { return nil }
    return
      "would touch \(planned) of \(rows) rows of \(table.words), more than a share of \(mostShare)"
  }

  func run(_ context: inout JobContext, after basis: RunBasis?) throws -> Outcome {
    let newRows = try newRows(to: context.part, after: basis, in: context)
    let memory = RunMemory(of: self, after: basis, new: newRows, in: context)
    let walk = try walk(in: context, new: newRows)
    let share = context.share(of: table.first)
    let planned = context.planned
    let isDryRun = context.isDryRun
    try context.inChunks(of: ChunkSize(from: chunk, upTo: chunk * 64)) {
      connection, progress, most in
      try memory.begin(progress, on: connection)
      progress.total = planned
      let samples =
        isDryRun && progress.wantsExamples
        ? try RowSamples(walk, after: progress.cursor, in: share, on: connection) : nil
      let chunk = try RowChunk(
        of: walk, after: progress.cursor, in: share, upTo: most, on: connection)
      try samples?.show(in: &progress, on: connection)
      advance(&progress, by: chunk)
      guard chunk.picked < most else { return .more }
      try memory.end(on: connection)
      return .finished
    }
    try walk.requireCheck(in: share, context)
    return Outcome("\(change.counter) \(context.progress.done.counted("row")) of \(table.words)")
  }

  /// Takes in what a chunk has done.
  private func advance(_ progress: inout Progress, by chunk: RowChunk) {
    progress.cursor = chunk.last ?? progress.cursor
    for (kind, rows) in chunk.changed where rows > 0 {
      progress.done += rows
      progress.counters.count(change.counter, because: named(kind, in: progress), rows)
    }
  }

  /// The name under which rows of a kind are counted: past so many kinds they are the others, as each of them is
  /// written with every chunk.
  private func named(_ kind: String?, in progress: Progress) -> String? {
    guard let kind = kind.map({ String($0.prefix(Self.longestKind)) }) else { return nil }
    let names = progress.counters.names
    let isKnown = names.contains("\(change.counter)/\(kind)")
    return isKnown || names.count <= Self.mostKinds ? kind : "other"
  }

  private static let mostKinds = 50
  private static let longestKind = 40
}
