@testable import JobKit
@testable import Ledger
@testable import Jobs

import LocalTime
import Postgres
import Push
import TestKit

/// Ordinary learners, and beside them some whose rows are odd; all jobs run for all of them.
struct OddWorld {
  private let stage: Stage
  private let columns: [String: [AppColumn]]

  /// The odd rows that the schema has taken.
  private(set) var taken: [OddRow] = []

  /// Whose they are.
  private var learners: [Int] = []
  private var lastNumber = 100_000

  static let ordinary = (1...24).map { $0 * 40 }

  init() throws {
    stage = try Stage.withPatterns(at: "2026-03-03T11:35:00Z")
    columns = Dictionary(
      grouping: try AppColumn.all(on: stage.connection), by: \.table)
    try live(Self.ordinary)
  }

  /// Learners who live in some zones, studied for days, answered, earned, and can be pushed.
  private func live(_ ids: [Int], hasRow: Bool = false) throws {
    if !hasRow { try stage.connection.run(OddWorldSQL.users(ids)) }
    for statement in OddWorldSQL.lives(ids) { try stage.connection.run(statement) }
  }
}

extension OddWorld {
  /// Adds these rows, as far as the schema takes them, each to a learner of its own.
  mutating func add(_ rows: [OddRow]) throws {
    for row in rows where try add(row) { taken.append(row) }
  }

  private mutating func add(_ row: OddRow) throws -> Bool {
    lastNumber += 64
    let learner = lastNumber
    if row.table == "users" {
      let id = row.odd.first { $0.column == "user_id" }?.value ?? "\(learner)"
      guard try insert(row, of: "NULL", learner) else { return false }
      let number: Int = try stage.connection.run("SELECT \(Statement(verbatim: id))").only[0]
      try live([number], hasRow: true)
      learners.append(number)
      return true
    }
    learners.append(learner)
    if row.isOfOddLearner { try stage.connection.run(OddWorldSQL.mover(learner)) }
    try live([learner], hasRow: row.isOfOddLearner)
    return try insert(row, of: "\(learner)", learner)
  }

  /// Whether the row was taken: as it is, or with usual values in columns that a condition binds to it.
  private func insert(_ row: OddRow, of learner: String, _ number: Int) throws -> Bool {
    let own = columns[row.table] ?? []
    for parent in own.compactMap(\.references) where parent != "learning.users" {
      try stage.connection.run(OddWorldSQL.parent(in: parent, of: learner))
    }
    var values: [String: String] = [:]
    for column in own {
      if column.references != nil {
        values[column.name] = column.references == "learning.patterns" ? "1" : learner
      } else if !column.mayBeLeftOut {
        values[column.name] = column.usual(number)
      }
    }
    values.merge(row.odd.map { ($0.column, $0.value) }) { $1 }
    if try take(values, into: row.table) { return true }
    let bound = own.filter { column in row.odd.contains { $0.column == column.name } }
      .flatMap(\.companions)
    for column in own where bound.contains(column.name) && values[column.name] == nil {
      values[column.name] = column.usual(number)
    }
    return try take(values, into: row.table)
  }

  private func take(_ values: [String: String], into table: String) throws -> Bool {
    let names = values.keys.sorted()
    let columns = names.map { Statement("\(identifier: $0)") }.joined(by: ", ")
    let list = names.map { Statement(verbatim: values[$0] ?? "NULL") }.joined(by: ", ")
    do throws(PostgresError) {
      try stage.connection.run(
        "INSERT INTO learning.\(identifier: table) (\(columns)) VALUES (\(list))")
      return true
    } catch {
      return false
    }
  }
}

extension OddWorld {
  /// Runs all jobs, several times at several moments, and everything anew at the last; returns what went wrong.
  func run(adding rows: [OddRow] = []) throws -> (world: OddWorld, faults: [String]) {
    var world = self
    var faults = try world.runAll([:])
    try world.add(rows)
    for (minutes, arguments) in [(30, [:]), (14, [:]), (45 * 60, ["full": "true"])] {
      try world.stage.pass(.seconds(60 * minutes))
      faults += try world.runAll(arguments)
    }
    return (world, faults + world.whyNot() + (try world.untold()))
  }

  /// What goes wrong where somebody asks what became of learners with odd rows: some of them, as to ask takes longer than
  /// all jobs do.
  private func whyNot() -> [String] {
    let jobs: [any LearnerExplainer] = [
      ScheduleDailyPush(), RecommendReview(), DetectStreakBreaks(), SettleRewards(),
    ]
    return jobs.flatMap { job in
      learners.indices.filter { $0.isMultiple(of: 4) }.compactMap { index in
        let learner = learners[index]
        do {
          _ = try job.explain(learner, on: nil, at: stage.now, in: stage.zones, stage.connection)
          return nil
        } catch is UnknownLearner {
          // Not there yet, as of now.
          return nil
        } catch { return "why \(job.definition.name) --user \(learner): \(error)" }
      }
    }
  }

  /// What goes wrong where somebody asks what the day will bring, or what it brought.
  private func untold() throws -> [String] {
    let (now, planner) = (try stage.now, ScheduleDailyPush())
    var faults: [String] = []
    func note(_ question: String, _ ask: () throws -> Void) {
      do { try ask() } catch { faults.append("\(question): \(error)") }
    }
    note("forecast") {
      _ = try planner.forecast(on: nil, at: now, in: stage.zones, stage.connection)
    }
    for reporter in jobs.compactMap({ $0 as? any Reporter }) {
      note("report of \(reporter.definition.name)") {
        _ = try reporter.report(
          on: now - .seconds(86_400)..<now, counted: Counters(), at: now, stage.connection)
      }
    }
    return faults
  }

  private var jobs: [any Job] {
    var services = LearningServices()
    services[(any PushTransport).self] = Postbox()
    return learningJobs(with: services)
  }

  private func runAll(_ arguments: [String: String]) throws -> [String] {
    try stage.awaitNeighbours()
    return try jobs.compactMap { job in
      let takesThem = !job.definition.arguments.isEmpty
      let run = try stage.run(job, arguments: takesThem ? arguments : [:])
      return run.state == .succeeded ? nil : "\(run.job) \(run.state): \(run.error ?? "")"
    }
  }

  /// All that the jobs have made of the ordinary learners, table by table.
  func results() throws -> [String: [String]] {
    let tables = try stage.connection.run(OddWorldSQL.tables).map { try $0[0, as: String.self] }
    var results = ["order on boards": try texts(OddWorldSQL.boards(of: Self.ordinary))]
    for table in tables {
      results[table] = try texts(OddWorldSQL.rows(of: Self.ordinary, in: table))
    }
    return results
  }

  private func texts(_ statement: Statement) throws -> [String] {
    try stage.connection.run(statement).map { try $0[0] }
  }
}
