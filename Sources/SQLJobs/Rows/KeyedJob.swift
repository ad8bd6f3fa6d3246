internal import Config
internal import JobKit
internal import LocalTime
internal import Migrations
internal import Postgres

/// A job in SQL that goes through the rows of a table by their key.
protocol KeyedJob: SQLJob {
  var table: SQLTable { get }

  /// Where the settings name the table and its key, for what the database has against them.
  var places: TablePlaces { get }

  /// Every text of it that may name a parameter.
  var texts: [SQLText] { get }

  /// What no row of the table may meet after a run.
  var check: SQLText? { get }

  /// What the database has against the tables that the job only reads.
  func sourceFindings(on connection: borrowing Connection) throws -> [JobFinding]

  /// What PostgreSQL says of each text.
  func refusals(
    of walk: KeyWalk<Self>, on connection: borrowing Connection
  ) throws -> [JobFinding]
}

struct TablePlaces {
  let table: SettingText
  let key: SettingText
}

/// The statements of a job that goes through the rows of a table by their key, in one run.
struct KeyWalk<Work: KeyedJob> {
  let job: Work
  let facts: SQLTableFacts
  let values: SQLValues

  var table: SQLTable { job.table }

  /// How many rows of a share are as they must not be after a run; nothing where the job does not say.
  func check(in share: Statement) -> Statement? {
    job.check.map { check in
      """
      SELECT count(*) FROM \(table.statement) WHERE \(share) AND (\(check.statement(with: values)))
      """
    }
  }

  /// Throws where rows of a share are as they must not be after a run.
  func requireCheck(in share: Statement, _ context: borrowing JobContext) throws {
    guard let question = check(in: share) else { return }
    let rows: Int = try job.query(question, context).only[0]
    if rows > 0 { throw RowCheckFailed(rows: rows, table: table.words) }
  }

  /// The values of columns of the row with a key; nothing where there is none.
  func row(
    of key: String, columns: [String], on connection: borrowing Connection
  ) throws -> [String?]? {
    let rows = try connection.run(
      """
      SELECT \(columns.asTexts) AS texts FROM \(table.statement)
      WHERE (\(table.columns())) = \(facts.row(ofKey: key))
      """, asIfBy: job.role)
    return try rows.first.map { try $0["texts"] }
  }
}

extension KeyedJob {
  /// The statements of a run, for the table as it is now.
  func walk(
    in context: borrowing JobContext, new newRows: NewRows?
  ) throws -> KeyWalk<Self> {
    let facts = try context.notes.fact("\(table.words), key \(table.key)") {
      try SQLTableFacts.read(of: table) { try context.query($0.keepingPlan) }
    }
    try facts.requireShares(of: table, parts: context.part.count, percent: context.percent)
    return try walk(facts, at: context.scheduledFor, in: context.zones, new: newRows)
  }

  func walk(
    _ facts: SQLTableFacts, at moment: Instant, in zones: ZoneDatabase, new newRows: NewRows?
  ) throws(ZoneError) -> KeyWalk<Self> {
    KeyWalk(
      job: self, facts: facts,
      values: try SQLValues(at: moment, in: zones, for: texts, keysOf: table, new: newRows))
  }

  /// The statements of a run that would begin now, and the key that somebody wrote as the database writes it.
  func walk(
    to key: String, at now: Instant, in zones: ZoneDatabase, from memory: any JobMemory,
    on connection: borrowing Connection
  ) throws -> (walk: KeyWalk<Self>, key: String) {
    let facts = try SQLTableFacts.read(of: table) { try connection.run($0) }
    let text = try table.keyText(of: key, on: connection)
    try facts.require(key, as: text, of: table, asIfBy: role, on: connection)
    let newRows = try newRows(at: now, from: memory, on: connection)
    return (try walk(facts, at: now, in: zones, new: newRows), text)
  }

  func findings(
    parts: Int, percent: Int, at now: Instant, in zones: ZoneDatabase,
    on connection: borrowing Connection
  ) throws -> [JobFinding] {
    let facts: SQLTableFacts
    do {
      facts = try SQLTableFacts.read(of: table) { try connection.run($0) }
      try facts.requireShares(of: table, parts: parts, percent: percent)
    } catch let error as SQLTableFault {
      let place = if case .noTable = error { places.table } else { places.key }
      return [JobFinding(place.problem("will not do: \(error)"))]
    }
    let found = try sourceFindings(on: connection)
    guard found.isEmpty else { return found }
    let needs = definition.needs.map { (owner: definition.name.text, need: $0) }
    if let reason = try MissingRight.all(of: needs, on: connection).reason {
      return [JobFinding(places.table.problem("is out of reach: \(reason)"))]
    }
    return try refusals(
      of: walk(facts, at: now, in: zones, new: .planned(at: now)), on: connection)
      + texts.volatileFunctions(on: connection)
  }

  func sourceFindings(on connection: borrowing Connection) throws -> [JobFinding] { [] }
}

/// After a run there are rows that its `check` finds.
struct RowCheckFailed: Error, Equatable, CustomStringConvertible {
  let rows: Int
  let table: String

  var description: String {
    "\(rows.counted("row")) of \(table) match 'check' after the run: 'worker why JOB --key KEY' explains one"
  }
}
