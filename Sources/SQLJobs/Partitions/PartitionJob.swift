internal import Config
internal import JobKit
internal import LocalTime
internal import Migrations
internal import Postgres

/// A job of the settings that drops the partitions of a table that hold nothing young, one in a transaction.
struct PartitionJob: SQLJob {
  let definition: JobDefinition
  let table: TableName

  /// How old all that a partition may hold has to be as of the run's moment.
  let age: Duration
  var role: String?
  let listing: [(key: String, value: String)]
  let text: String

  /// Where the settings name the table, for what the database has against it.
  let place: SettingText

  let asksWhatIsNew = false

  func plan(_ context: borrowing JobContext, after basis: RunBasis?) throws -> Int? {
    try old(in: context).count
  }

  private func old(in context: borrowing JobContext) throws -> [Partition] {
    guard context.part.count == 1, context.percent == 100 else { throw PartitionFault.divided }
    let limit = context.scheduledFor - age
    return try table.partitions { try query($0, context) }.filter { $0.holdsNothing(since: limit) }
  }

  func run(_ context: inout JobContext, after basis: RunBasis?) throws -> Outcome {
    let limit = context.scheduledFor - age
    let memory = RunMemory(of: self, after: basis, new: nil, in: context)
    let isDryRun = context.isDryRun
    let planned = context.planned
    // What was approved is a number: partitions that became old otherwise meanwhile wait for the next run.
    let left = planned.map { max($0 - context.progress.done, 0) } ?? Int.max
    let old = Array(try old(in: context).prefix(left))
    let before = context.progress.done
    try context.inChunks { connection, progress in
      try memory.begin(progress, on: connection)
      progress.total = planned
      // By what is saved, as a chunk that is tried again has dropped nothing.
      let place = progress.done - before
      guard place < old.count else { return .finished }
      let partition = old[place]
      // The lock would keep everybody from the table until a dry run is over.
      if !isDryRun { try drop(partition, unlessYoungerThan: limit, on: connection) }
      progress.addExample("\(partition.words): dropped; it \(partition.account)")
      progress.cursor = partition.words
      progress.done += 1
      progress.counters.count("dropped")
      return place + 1 < old.count ? .more : .finished
    }
    return Outcome(
      "dropped \(context.progress.done.counted("partition")) of \(table.words)")
  }

  /// Drops a partition, once nobody else can change what it is.
  private func drop(
    _ partition: Partition, unlessYoungerThan limit: Instant, on connection: borrowing Connection
  ) throws {
    // The table before its partition, as every query locks them.
    try connection.run(
      "LOCK TABLE ONLY \(table.statement) IN ACCESS EXCLUSIVE MODE", asIfBy: role)
    let found = try table.partitions { try connection.run($0, asIfBy: role) }
    guard let same = found.first(where: { $0.words == partition.words }),
      same.holdsNothing(since: limit)
    else { throw PartitionFault.changed(partition.words) }
    try connection.run("DROP TABLE \(partition.statement)", asIfBy: role)
  }
}

/// A part of a table that holds a range of time.
struct Partition: NamedTable {
  let schema: String
  let name: String

  /// Where its range ends; nothing where it has no end, or is that of all other rows.
  let end: Instant?

  /// Some number of rows, where the database has one.
  let rows: Int?
  let owner: String

  func holdsNothing(since limit: Instant) -> Bool { end.map { $0 <= limit } ?? false }

  /// What there is to say about it, behind its name.
  var account: String {
    let count = rows.map { ", with some \($0.counted("row"))" } ?? ""
    return (end.map { "ends at \($0)" } ?? "has no end") + count
  }
}

/// Why a job cannot drop partitions of a table.
package enum PartitionFault: Error, Equatable {
  case noTable(String)
  case notByTime(String, strategy: String)
  case divided
  case changed(String)
}

extension PartitionFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noTable(let table):
      "there is no table '\(table)' that has partitions: write one that was made with PARTITION BY RANGE"
    case .notByTime(let table, let strategy):
      "'\(table)' is partitioned by \(strategy): only partitions by RANGE of one column of type date, timestamp or"
        + " timestamptz have an age"
    case .divided:
      "partitions are dropped one after the other: set 'parts' to 1 and 'percent' to 100"
    case .changed(let partition):
      "'\(partition)' is no partition any more that is old enough: another session has changed it meanwhile"
    }
  }
}
