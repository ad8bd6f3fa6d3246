internal import Config
internal import JobKit
internal import LocalTime
internal import Postgres

/// A job that the settings describe in SQL.
///
/// A run goes by the text under which its first chunk was committed, or under which it was held, whatever the settings
/// say by then: the rows behind a cursor are not chosen by another condition than those before it, nor are others
/// changed than an operator has approved of.
protocol SQLJob: SettingsJob, BasedJob, RememberingKeyExplainer {
  /// How the settings describe its work, as the ledger keeps it with a run.
  var text: String { get }

  /// The role whose rights its statements have, where it is not that of the daemon.
  var role: String? { get }

  /// Whether it asks what is new since the run before.
  var asksWhatIsNew: Bool { get }

  func plan(_ context: borrowing JobContext, after basis: RunBasis?) throws -> Int?

  func objection(
    to planned: Int, _ context: borrowing JobContext, after basis: RunBasis?
  ) throws -> String?

  /// Does the work of a part; with a basis the run has begun.
  func run(_ context: inout JobContext, after basis: RunBasis?) throws -> Outcome

  /// The job that a reader finds in settings of its kind.
  func again(from text: String) throws -> any SQLJob
}

extension SQLJob {
  func plan(_ context: borrowing JobContext) throws -> Int? {
    let basis = try context.basis()
    return try asBegun(basis).plan(context, after: basis)
  }

  func objection(to planned: Int, _ context: borrowing JobContext) throws -> String? {
    let basis = try context.basis()
    return try asBegun(basis).objection(to: planned, context, after: basis)
  }

  func objection(
    to planned: Int, _ context: borrowing JobContext, after basis: RunBasis?
  ) throws -> String? { nil }

  func run(_ context: inout JobContext) throws -> Outcome {
    while true {
      let basis = try context.basis()
      do {
        return try asBegun(basis).run(&context, after: basis)
      } catch is BegunOtherwise {
        // The other part's chunk is committed, so from now on the run has a basis.
        context.notes.forget(RunBegun.name)
      }
    }
  }

  func begin(_ context: borrowing JobContext) throws {
    guard let memory = context.memory, try context.basis() == nil else { return }
    let newRows = try newRows(to: nil, after: nil, in: context)
    let own = RunBasis(text: text, seenIn: newRows?.seenIn)
    _ = try context.ask { connection throws in try memory.keep(own, on: connection) }
  }

  /// The job as the run began with it.
  private func asBegun(_ basis: RunBasis?) throws -> any SQLJob {
    guard let basis, basis.text != text else { return self }
    return try again(from: basis.text)
  }

  func explain(
    key: String, at now: Instant, in zones: ZoneDatabase, _ connection: borrowing Connection
  ) throws -> KeyExplanation {
    try explain(key: key, at: now, in: zones, from: NoMemory(), connection)
  }

  func query(_ query: Statement, _ context: borrowing JobContext) throws -> Rows {
    guard let role else { return try context.query(query) }
    return try context.query(query, as: role)
  }

  /// What is new to a run; nothing where the job does not ask.
  func newRows(
    to part: PartNumber?, after basis: RunBasis?, in context: borrowing JobContext
  ) throws -> NewRows? {
    asksWhatIsNew ? try NewRows(to: part, begun: basis, in: context) : nil
  }

  func newRows(
    at now: Instant, from memory: any JobMemory, on connection: borrowing Connection
  ) throws -> NewRows? {
    asksWhatIsNew ? try NewRows(at: now, from: memory, on: connection) : nil
  }
}

/// What a run went by when its job looked first; nothing where it had not begun.
///
/// Whoever then begins it finds in the transaction of a first chunk what another part has begun by meanwhile.
private struct RunBegun {
  let basis: RunBasis?

  static let name = "run begun"
}

extension JobContext {
  /// What the run goes by that has begun.
  fileprivate func basis() throws -> RunBasis? {
    guard let memory else { return nil }
    return try notes.fact(RunBegun.name) {
      try ask { connection throws in RunBegun(basis: try memory.basis(on: connection)) }
    }.basis
  }
}

/// What the ledger remembers of a run of a job in SQL, from its first chunk to its last.
struct RunMemory {
  private let memory: (any JobMemory)?
  private let begun: RunBasis?
  private let own: RunBasis
  private let newRows: NewRows?
  private let part: PartNumber

  /// The mark is for all rows of the part: neither a canary's run leaves one, nor one that is rolled back.
  private let leavesMark: Bool

  init(
    of job: any SQLJob, after basis: RunBasis?, new newRows: NewRows?,
    in context: borrowing JobContext
  ) {
    (begun, self.newRows) = (basis, newRows)
    memory = context.memory
    own = RunBasis(text: job.text, seenIn: newRows?.seenIn)
    part = context.part
    leavesMark = context.percent == 100 && !context.isDryRun
  }

  /// Has the run go by this text, in the transaction of the first chunk of a part.
  func begin(_ progress: Progress, on connection: borrowing Connection) throws {
    guard let memory, begun == nil, progress.cursor == nil else { return }
    guard try memory.keep(own, on: connection) == own else { throw BegunOtherwise() }
  }

  /// Writes down that all rows of the part have been looked at, in the transaction of its last chunk.
  func end(on connection: borrowing Connection) throws {
    guard let memory, let newRows, leavesMark else { return }
    try memory.save(newRows.end, of: part, on: connection)
  }
}

/// Another part of the run was faster, and began by another text, or when other rows were there.
private struct BegunOtherwise: Error {}

/// What is remembered of a job that nobody has asked the ledger about.
private struct NoMemory: JobMemory {
  func basis(on connection: borrowing Connection) throws -> RunBasis? { nil }

  func keep(_ basis: RunBasis, on connection: borrowing Connection) throws -> RunBasis { basis }

  func watermark(
    of part: PartNumber?, on connection: borrowing Connection
  ) throws -> Watermark? { nil }

  func save(
    _ watermark: Watermark, of part: PartNumber, on connection: borrowing Connection
  ) throws {}
}

extension Connection {
  /// Runs a statement of a transaction with the rights of a role, or with its own.
  @discardableResult
  func run(_ statement: Statement, asIfBy role: String?) throws(PostgresError) -> Rows {
    guard let role else { return try run(statement) }
    return try run(statement, as: role)
  }
}
