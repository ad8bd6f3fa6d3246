internal import JobKit
internal import Postgres

/// The statements of a job that counts groups of rows, in one run.
typealias RollUpWalk = KeyWalk<RollUpJob>

extension RollUpWalk {
  /// Whether a row that is counted is new.
  var isNew: Statement {
    let received: Statement = "\(identifier: job.changed.received)"
    guard let newRows = values.newRows else { return "true" }
    var ways: [Statement] = []
    if let lookback = job.changed.lookback {
      ways.append(newRows.condition(received: received, lookingBack: lookback))
    }
    if let written = job.changed.written {
      ways.append(newRows.condition(received: received, written: "\(identifier: written)"))
    }
    return "(\(ways.joined(by: " OR ")))"
  }

  /// The groups of rows that are new, each once, in the columns of the key.
  private var groups: Statement {
    let columns = zip(table.key, zip(facts.keyTypes, job.groups)).map { name, group in
      "(\(group.1.statement(with: values)))::\(verbatim: group.0) AS \(identifier: name)"
        as Statement
    }
    return """
      SELECT DISTINCT \(columns.joined(by: ", ")) FROM \(job.source.statement) WHERE \(isNew)
      """
  }

  private var hasKey: Statement {
    table.key.map { "\(identifier: $0) IS NOT NULL" as Statement }.joined(by: " AND ")
  }

  /// How many groups have new rows, in a share of them.
  func count(in share: Statement) -> Statement {
    "SELECT count(*) FROM (\(groups)) AS new_group WHERE \(hasKey) AND \(share)"
  }

  /// The keys of the next groups with new rows behind a key.
  func page(after cursor: String?, in share: Statement, upTo most: Int) -> Statement {
    let isBehind: Statement =
      cursor.map { "(\(table.columns())) > \(facts.row(ofKey: $0))" } ?? "true"
    return """
      SELECT \(table.keyText) AS key FROM (\(groups)) AS new_group
      WHERE \(hasKey) AND \(isBehind) AND \(share)
      ORDER BY \(table.columns()) LIMIT \(verbatim: "\(most)")
      """
  }

  /// The groups with these keys as a table that has the columns of the key.
  private func picked(_ keys: [String]) -> Statement {
    let columns = zip(table.key, facts.keyTypes).enumerated().map { index, column in
      "(key::text[])[\(verbatim: "\(index + 1)")]::\(verbatim: column.1) AS \(identifier: column.0)"
        as Statement
    }
    return "SELECT \(columns.joined(by: ", ")) FROM unnest(\(keys)::text[]) AS key"
  }

  /// Counts no group, and tells which columns it would have.
  var counted: Statement {
    """
    WITH picked AS MATERIALIZED (\(picked([])))
    SELECT * FROM (\(job.select.statement(with: values))) AS counted LIMIT 0
    """
  }

  /// What a group comes to, in the types of the table that has the groups.
  func counted(for key: String, columns: [String]) -> Statement {
    let list = columns.map { name in
      let type = facts.columns.firstIndex(of: name).map { facts.types[$0] } ?? "text"
      return "\(identifier: name)::\(verbatim: type)::text" as Statement
    }
    return """
      WITH picked AS MATERIALIZED (\(picked([key])))
      SELECT ARRAY[\(list.joined(by: ", "))]::text[] AS texts
      FROM (\(job.select.statement(with: values))) AS counted
      WHERE (\(table.columns())) IN (SELECT \(table.columns()) FROM picked)
      """
  }

  /// Counts the groups with these keys, and has their rows say what came of it: a row that says so already is not
  /// written, and one whose group has no rows any more is deleted.
  func chunk(_ keys: [String], columns: [String]) -> Statement {
    let all = columns.map { "\(identifier: $0)" as Statement }.joined(by: ", ")
    let key = table.columns()
    return """
      WITH picked AS MATERIALIZED (
        \(picked(keys))
      ), counted AS MATERIALIZED (
        SELECT \(all) FROM (\(job.select.statement(with: values))) AS counted
        WHERE (\(key)) IN (SELECT \(key) FROM picked)
      ), known AS MATERIALIZED (
        SELECT \(key) FROM \(table.statement) WHERE (\(key)) IN (SELECT \(key) FROM picked)
      ), written AS (
        INSERT INTO \(table.statement) AS kept (\(all)) SELECT \(all) FROM counted
        ON CONFLICT (\(key)) \(resolution(columns))
        RETURNING \(table.key.map { "kept.\(identifier: $0)" as Statement }.joined(by: ", "))
      ), gone AS (
        DELETE FROM \(table.statement) WHERE (\(key)) IN (SELECT \(key) FROM picked)
          AND (\(key)) NOT IN (SELECT \(key) FROM counted)
        RETURNING 1
      ), old AS (
        SELECT count(*) AS count FROM written WHERE (\(key)) IN (SELECT \(key) FROM known)
      )
      SELECT (SELECT count(*) FROM written) - old.count AS inserted, old.count AS changed,
        (SELECT count(*) FROM gone) AS deleted
      FROM old
      """
  }

  private func resolution(_ columns: [String]) -> Statement {
    let values = columns.filter { !table.key.contains($0) }
    guard !values.isEmpty else { return "DO NOTHING" }
    func list(_ table: Statement) -> Statement {
      values.map { "\(table).\(identifier: $0)" as Statement }.joined(by: ", ")
    }
    let changes = values.map { "\(identifier: $0) = excluded.\(identifier: $0)" as Statement }
    return """
      DO UPDATE SET \(changes.joined(by: ", "))
        WHERE (\(list("kept"))) IS DISTINCT FROM (\(list("excluded")))
      """
  }
}

/// The keys of the groups that a part counts, a page of them at a time: to find them takes a look at all new rows.
struct GroupPages {
  private let walk: RollUpWalk
  private let share: Statement
  private let role: String?
  private var page: (begin: String?, keys: [String], isLast: Bool)?

  private static let size = 20_000

  init(of walk: RollUpWalk, in share: Statement, as role: String?) {
    (self.walk, self.share, self.role) = (walk, share, role)
  }

  /// Up to `most` keys behind one, and whether none are behind these.
  mutating func next(
    _ most: Int, after cursor: String?, on connection: borrowing Connection
  ) throws -> (keys: [String], isLast: Bool) {
    if let page, let place = place(of: cursor, in: page) {
      return slice(of: page, from: place, most)
    }
    let rows = try connection.run(
      walk.page(after: cursor, in: share, upTo: Self.size), asIfBy: role)
    let keys = try rows.map { try $0["key", as: String.self] }
    let fresh = (begin: cursor, keys: keys, isLast: keys.count < Self.size)
    page = fresh
    return slice(of: fresh, from: 0, most)
  }

  private func slice(
    of page: (begin: String?, keys: [String], isLast: Bool), from place: Int, _ most: Int
  ) -> (keys: [String], isLast: Bool) {
    let end = min(place + most, page.keys.count)
    return (Array(page.keys[place..<end]), page.isLast && end == page.keys.count)
  }

  /// Where the keys behind a cursor begin; nothing where another page has them.
  private func place(
    of cursor: String?, in page: (begin: String?, keys: [String], isLast: Bool)
  ) -> Int? {
    guard cursor != page.begin else { return 0 }
    guard let index = page.keys.firstIndex(where: { $0 == cursor }) else { return nil }
    return index + 1 < page.keys.count || page.isLast ? index + 1 : nil
  }
}

/// Groups as they were before a chunk, to be shown in a dry run beside what becomes of them.
struct GroupSamples {
  private let walk: RollUpWalk
  private let columns: [String]
  private let keys: [String]
  private let before: [[String?]?]

  init(
    of keys: [String], _ columns: [String], _ walk: RollUpWalk,
    on connection: borrowing Connection
  ) throws {
    (self.walk, self.keys) = (walk, keys)
    self.columns = columns.filter { !walk.table.key.contains($0) }
    var before: [[String?]?] = []
    for key in keys { before.append(try walk.row(of: key, columns: self.columns, on: connection)) }
    self.before = before
  }

  func show(in progress: inout Progress, on connection: borrowing Connection) throws {
    for (key, before) in zip(keys, before) where progress.wantsExamples {
      let after = try walk.row(of: key, columns: columns, on: connection)
      progress.addExample(
        "\(walk.table.name(ofKey: key)): \(columns.change(from: before, to: after))")
    }
  }
}
