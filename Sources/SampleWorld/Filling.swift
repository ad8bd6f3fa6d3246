internal import LocalTime
public import Postgres

/// Puts a world into a database: its history where the app would have written it.
///
/// All of it is one transaction: what is interrupted leaves the database as it was.
public struct Filling {
  private let world: World

  /// Hears how many learners of how many are in a table.
  private let listener: (String, Int, Int) -> Void

  public init(
    with world: World, hearing listener: @escaping (_ table: String, _ done: Int, _ of: Int) -> Void
  ) {
    (self.world, self.listener) = (world, listener)
  }

  /// How many rows came into each table.
  public struct Report: Sendable {
    public fileprivate(set) var rows: [(table: String, count: Int)] = []
  }

  /// Fills the schema `learning`, in which there is nobody yet; a world that goes on is laid down beside
  /// it, in a schema `demo`.
  public func run(on connection: borrowing Connection) throws -> Report {
    let report = try connection.transaction { connection in
      try Self.requireEmpty(connection)
      let bare = try BareTables.strip(Self.largeTables, on: connection)
      var report = Report()
      report.rows.append(("patterns", try Self.fillPatterns(on: connection)))
      for table in AppTable.allCases {
        report.rows.append((table.rawValue, try fill(table, .history, on: connection)))
      }
      listener("indexes", 0, 0)
      try bare.restore(within: Self.limit, on: connection)
      if world.now < world.end { try layDown(on: connection) }
      return report
    }
    for (table, _) in report.rows {
      try connection.run(
        outsideTransactions: "VACUUM ANALYZE learning.\(identifier: table)", within: Self.limit)
    }
    return report
  }

  /// The learners keep their key all the time: everything refers to them.
  private static let largeTables = ["devices", "sessions", "attempts", "reward_pending"]

  /// Longer than anything here takes: a statement limit for jobs is none for a load.
  private static let limit: Duration = .seconds(7200)

  private func layDown(on connection: borrowing Connection) throws {
    try connection.run(script: String(decoding: PackageResources.demo_sql, as: UTF8.self))
    for table in AppTable.allCases {
      try fill(table, .yetToCome, on: connection)
    }
    try connection.run(
      """
      INSERT INTO demo.world (learners, seed, starts_at, begins_at, ends_at, played_until)
      VALUES (\(world.learners), \(world.seed), \(world.start), \(world.now), \(world.end), \(world.now))
      """)
    for table in AppTable.allCases {
      try connection.run("ANALYZE demo.\(identifier: table.rawValue)", within: Self.limit)
    }
  }

  @discardableResult
  private func fill(
    _ table: AppTable, _ share: AppTable.Share, on connection: borrowing Connection
  ) throws -> Int {
    let schema = share == .history ? "learning" : "demo"
    let name: Statement = "\(identifier: schema).\(identifier: table.rawValue)"
    var count = 0
    try connection.copy(into: name, columns: table.columns, within: Self.limit) { writer in
      for learner in 1...max(1, world.learners) {
        count += try table.write(Life(of: learner, in: world), share, of: world, to: writer)
        if learner % 1000 == 0 { listener("\(schema).\(table.rawValue)", learner, world.learners) }
      }
    }
    return count
  }
}

extension Filling {
  /// There is something in the way, which nobody would want to be mixed with made-up learners.
  public enum Refused: Error, Equatable, CustomStringConvertible {
    case notEmpty(table: String)

    public var description: String {
      switch self {
      case .notEmpty(let table):
        "there are rows in '\(table)': made-up learners go into a database of their own; make an"
          + " empty one, run 'worker migrate up' there, and try again"
      }
    }
  }

  private static func requireEmpty(_ connection: borrowing Connection) throws {
    for table in ["patterns"] + AppTable.allCases.map(\.rawValue) {
      let name: Statement = "learning.\(identifier: table)"
      let found: Bool = try connection.run("SELECT EXISTS (SELECT FROM \(name))").only[0]
      if found { throw Refused.notEmpty(table: "learning.\(table)") }
    }
  }

  private static func fillPatterns(on connection: borrowing Connection) throws -> Int {
    try connection.run(
      """
      INSERT INTO learning.patterns (pattern_id, code, name_ko, name_en)
      SELECT n, 'pattern-' || n, '문형 ' || n, 'Pattern ' || n FROM generate_series(1, \(Answer.patterns)) n
      """
    ).affected
  }
}
