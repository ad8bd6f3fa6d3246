internal import Config
internal import JobKit
internal import Postgres

/// A job of the settings that counts groups of rows anew of which rows are new, and keeps what came of it.
///
/// A group is counted whole, from all of its rows: a row that is counted twice, as by a run that was killed, comes
/// to the same numbers.
struct RollUpJob: KeyedJob {
  let definition: JobDefinition

  /// The table of the rows that are counted, as in `shop.purchase`.
  let source: TableName

  /// The table that has a row for each group, with the columns of its key: `into` of the settings.
  let table: SQLTable

  /// What each column of the key is of a row that is counted.
  let groups: [SQLText]

  /// Counts the groups of a chunk.
  let select: SQLText

  /// Which columns say what is new.
  let changed: Changed
  var check: SQLText?
  var chunk = 100
  var role: String?
  let listing: [(key: String, value: String)]
  let text: String
  let places: TablePlaces
  let sourcePlace: SettingText

  /// The columns that say when a row was received and, where there is one, in which transaction it was written.
  struct Changed: Sendable, Equatable {
    let received: String
    let written: String?

    /// How long after they were received rows may commit whose transaction no column notes, or may be corrected.
    let lookback: Duration?
  }

  let asksWhatIsNew = true

  func plan(_ context: borrowing JobContext, after basis: RunBasis?) throws -> Int? {
    let walk = try walk(in: context, new: newRows(to: nil, after: basis, in: context))
    return try query(walk.count(in: context.shareOfAllParts(of: table.first)), context).only[0]
  }

  func run(_ context: inout JobContext, after basis: RunBasis?) throws -> Outcome {
    let newRows = try newRows(to: context.part, after: basis, in: context)
    let memory = RunMemory(of: self, after: basis, new: newRows, in: context)
    let walk = try walk(in: context, new: newRows)
    let columns = try query(walk.counted, context).columnNames
    try walk.facts.requireColumns(columns, of: table)
    let share = context.share(of: table.first)
    let planned = context.planned
    var pages = GroupPages(of: walk, in: share, as: role)
    try context.inChunks(of: ChunkSize(from: chunk, upTo: chunk * 16)) {
      connection, progress, most in
      try memory.begin(progress, on: connection)
      progress.total = planned
      let next = try pages.next(most, after: progress.cursor, on: connection)
      let samples = try samples(of: next.keys, columns, walk, progress, on: connection)
      let rows = try connection.run(walk.chunk(next.keys, columns: columns), asIfBy: role)
      try samples?.show(in: &progress, on: connection)
      try advance(&progress, by: rows.only, next.keys)
      guard next.isLast else { return .more }
      try memory.end(on: connection)
      return .finished
    }
    try walk.requireCheck(in: share, context)
    return Outcome(
      "counted \(context.progress.done.counted("group")) of \(source.words) into \(table.words)")
  }

  private func advance(_ progress: inout Progress, by row: Row, _ keys: [String]) throws {
    progress.cursor = keys.last ?? progress.cursor
    progress.done += keys.count
    for name in ["inserted", "changed", "deleted"] {
      let count: Int = try row[name]
      if count > 0 { progress.counters.count(name, count) }
    }
  }

  private func samples(
    of keys: [String], _ columns: [String], _ walk: RollUpWalk, _ progress: Progress,
    on connection: borrowing Connection
  ) throws -> GroupSamples? {
    guard progress.wantsExamples else { return nil }
    return try GroupSamples(of: Array(keys.prefix(10)), columns, walk, on: connection)
  }

  var texts: [SQLText] { groups + [select] + [check].compactMap(\.self) }
}

extension SQLTableFacts {
  /// Throws where the columns of a query are not those of a table, or lack one of its key.
  func requireColumns(_ names: [String], of table: SQLTable) throws(SQLTableFault) {
    for name in names where !columns.contains(name) {
      throw .noColumn(name, table: table.words, known: columns)
    }
    for name in table.key where !names.contains(name) {
      throw .notCounted(name, table: table.words)
    }
  }
}
