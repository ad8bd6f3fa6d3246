public import LocalTime
public import Postgres

/// What a job works with: the moment it works for, a connection, its chunks and its counters.
public struct JobContext: ~Copyable {
  /// The moment that the run stands for; whatever the job does, it does as of then.
  public let scheduledFor: Instant

  /// What the run was asked to do differently.
  public let arguments: [String: String]

  /// Which share of the keys this part has, of how many.
  public let part: PartNumber

  /// The share of the keys that the run is for.
  public let percent: Int

  /// Whether nothing of this will last.
  public let isDryRun: Bool

  /// The zone rules that the run goes by.
  public let zones: ZoneDatabase

  /// For effects that must not reach people late, and for nothing else: rules are judged as of
  /// ``scheduledFor``.
  public let clock: LedgerClock

  /// Names what is claimed outside of the ledger as this part's; nothing in a dry run.
  public var fence: Fence? { store?.fence }

  /// How far the part is, and what it has counted.
  public private(set) var progress: Progress

  /// What the run was found to be about to touch, where this part is all of it: a job need not count that again.
  public package(set) var planned: Int?

  /// How often a worker has begun with the part, this time included; nothing in a dry run.
  package var attempt: Int?

  /// What the ledger remembers of the job and of the run.
  package let memory: (any JobMemory)?

  /// What the job has looked up so far.
  package let notes = JobNotes()

  let store: (any ProgressStore)?
  private let connection: Connection
  let stop: StopSignal

  /// What a part has to do and how far it is; without a store nothing of it lasts.
  package init(
    for tick: Instant, part: PartNumber, percent: Int, arguments: [String: String],
    progress saved: Progress, keptIn store: (any ProgressStore)?, zones: ZoneDatabase,
    clock: LedgerClock, stop: StopSignal, memory: (any JobMemory)? = nil,
    on connection: consuming Connection
  ) {
    scheduledFor = tick
    self.arguments = arguments
    self.part = part
    self.percent = percent
    isDryRun = store == nil
    self.zones = zones
    self.clock = clock
    progress = saved
    progress.mostExamples = isDryRun ? Self.mostExamples : 0
    self.connection = connection
    self.store = store
    self.stop = stop
    self.memory = memory
  }

  /// As many as one looks at; the counters tell of all.
  private static var mostExamples: Int { 10 }

  /// Runs a query for a plan: it sees the database and cannot change it.
  public func query(_ query: Statement) throws -> Rows {
    guard !isDryRun else { return try connection.run(query) }
    return try connection.pipeline([Self.onlyReading, query])[1]
  }

  /// Runs a query for a plan with the rights of another role, which the role of the connection is a member of.
  public func query(_ query: Statement, as role: String) throws -> Rows {
    guard !isDryRun else { return try connection.run(query, as: role) }
    return try connection.pipeline([Self.onlyReading, .taking(role: role), query])[2]
  }

  /// Makes the transaction that the statements of a pipeline are refuse to write, and compile none of them:
  /// who counts a large table by an index is done before the compiler is.
  private static var onlyReading: Statement {
    "SELECT set_config('transaction_read_only', 'on', true), set_config('jit', 'off', true)"
  }

  /// Which rows are this part's, as a condition on the column that holds the key of a row.
  ///
  /// A key is always in the same part of so many, and a share of 5 percent holds every key that a share of
  /// 1 percent holds.
  public func share(of column: Statement) -> Statement {
    let isInPart: Statement =
      part.count == 1 ? "true" : "\(partNumber(of: column)) = \(part.number)"
    return "(\(shareOfAllParts(of: column)) AND \(isInPart))"
  }

  /// In which part a key is: with its neighbours, whose rows are on the same pages of tables and indexes.
  ///
  /// Parts that each had every other key would all read, and write to, every page; with small blocks they
  /// still write to the same ones at once, where one is about to end and the next begins. Of as many blocks in a
  /// row as there are parts each part has one; a hash says which, or ids with gaps could all be in one part.
  private func partNumber(of column: Statement) -> Statement {
    let block: Statement = "(\(column)) / 1024"
    let turn: Statement = "\(Self.hash(of: "\(block) / \(part.count)")) % 4294967296"
    return "(\(block) + \(turn) & 9223372036854775807) % \(part.count)"
  }

  /// Which rows are the run's, whatever part they are in: what a plan counts, which one part makes for all.
  public func shareOfAllParts(of column: Statement) -> Statement {
    percent == 100 ? "true" : "\(Self.hash(of: column)) % 100 < \(percent)"
  }

  /// Without its sign, for a remainder that is never negative.
  private static func hash(of column: Statement) -> Statement {
    "(hashint8extended(\(column), 0) & 9223372036854775807)"
  }

  /// Gives the connection back to the worker, when the job is done with it.
  package consuming func release() -> Connection {
    connection
  }

  /// Asks the ledger something on the connection that the job works with.
  package func ask<Answer, Failure: Error>(
    _ question: (borrowing Connection) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    try question(connection)
  }
}

extension JobContext {
  /// Runs `work` in one transaction after another until it says that there is no more.
  ///
  /// Between two of them the run may be stopped: cancelled, drained, over its time. What `work` writes
  /// into `progress` is committed with the work itself, and only when this worker still holds the
  /// part. A chunk that met a deadlock or a serialization failure is tried again, and so is one whose row refers
  /// to one that was deleted after it was read. So is one that waited for a lock as long as the connection may:
  /// it lets go of what it has locked, and then asks anew.
  ///
  /// A worker may be lost after its last chunk, before the end of the part is written. Whoever goes on
  /// calls `work` once more, with the progress of that chunk: it has to find nothing left to do.
  ///
  /// Chunks that are not durable commit without waiting for the disk: a crash of the server may forget the
  /// latest, whole, so that the run goes on before them. The run's end is on the disk, and all before it.
  /// That is for a job of whose chunks nobody outside of Postgres is told before they are on the disk. A
  /// worker whom a pooler keeps from noticing the crash is told by its progress: a chunk that leaves cursor,
  /// `done` and counters as they were must do only what a later run would do if it were undone.
  public mutating func inChunks(
    isDurable: Bool = true,
    _ work: (_ connection: borrowing Connection, _ progress: inout Progress) throws -> ChunkStep
  ) throws {
    repeat {
      try stop.check()
    } while try oneChunk(heedingStop: true, isDurable: isDurable, work) == .more
  }

  /// Whether the run has been asked to stop: what is only claimed should then not be begun.
  public var isAskedToStop: Bool { stop.asked != nil }

  /// Runs `work` in one transaction even when the run has been asked to stop, or was cut off: for what
  /// was done outside of Postgres, which nobody else knows of.
  ///
  /// Like a chunk it is committed only when this worker still holds the part.
  public mutating func writeDown(
    _ work: (_ connection: borrowing Connection, _ progress: inout Progress) throws -> Void
  ) throws {
    connection.canceller = Canceller()
    defer { connection.canceller = stop.canceller }
    _ = try oneChunk(heedingStop: false, isDurable: true) { connection, progress in
      try work(connection, &progress)
      return .finished
    }
  }

  private mutating func oneChunk(
    heedingStop: Bool, isDurable: Bool,
    _ work: (borrowing Connection, inout Progress) throws -> ChunkStep
  ) throws -> ChunkStep {
    var done = 1
    while true {
      do {
        return try chunk(isDurable: isDurable, work)
      } catch let error as PostgresError {
        guard done < tries(after: error) else { throw error.afterTries(done) }
        done += 1
        if heedingStop { try stop.check() }
      }
    }
  }

  /// How often a chunk is tried in all that ends with such an error.
  private func tries(after error: PostgresError) -> Int {
    // A dry run is one transaction from end to end, which has failed with its chunk.
    guard fence != nil else { return 1 }
    if error.isRetryable || error.isOfMissingRow { return Self.tries }
    return error.isLockTimeout ? triesForLock : 1
  }

  /// How often a chunk is tried that other transactions get in the way of.
  private static var tries: Int { 4 }

  /// How often a chunk is tried that others keep from a lock: so often that it waits in all for as long as
  /// one statement may take, or those would fail that only need patience.
  private var triesForLock: Int {
    guard let whole = connection.statementLimit, let wait = connection.lockLimit, wait > .zero
    else { return Self.tries }
    return max(Self.tries, Int((whole / wait).rounded(.up)))
  }

  private mutating func chunk(
    isDurable: Bool,
    _ work: (borrowing Connection, inout Progress) throws -> ChunkStep
  ) throws -> ChunkStep {
    var next = progress
    let step: ChunkStep
    if let store {
      let saved = progress
      step = try connection.transaction(isDurable: isDurable) { connection in
        Failpoint.chunkBegun.pass()
        let step = try work(connection, &next)
        Failpoint.chunkWorked.pass()
        try store.save(next, after: saved, on: connection)
        Failpoint.chunkSaved.pass()
        return step
      }
      Failpoint.chunkCommitted.pass()
    } else {
      // A dry run is one transaction from end to end, so that each chunk sees those before it.
      step = try work(connection, &next)
    }
    progress = next
    return step
  }
}

/// Whether a job has more to do after a chunk.
public enum ChunkStep: Sendable {
  /// There is more to do.
  case more
  /// This was the last chunk.
  case finished
}
