internal import LocalTime
internal import Migrations
internal import Postgres

/// A value that a piece of SQL of the settings may name.
enum SQLParameter: String, CaseIterable {
  /// The moment that the run stands for.
  case moment
  /// What the calendar and the clocks of each zone show at that moment, as a table.
  case localDays = "local_days"
  /// Whether a row is new to the run, by the two columns that stand behind it in parentheses.
  case since
  /// The keys of the rows of a chunk, as what stands in the parentheses of `IN (…)`.
  case keys
}

/// What the parameters stand for in one run.
struct SQLValues {
  let moment: Instant

  /// What is new to the run, where its job asks for that.
  let newRows: NewRows?
  private let table: SQLTable
  private let zones: [Zone]

  /// The zones are read when a text names them: there are some five hundred.
  init(
    at moment: Instant, in database: ZoneDatabase, for texts: [SQLText], keysOf table: SQLTable,
    new newRows: NewRows?
  ) throws(ZoneError) {
    self.moment = moment
    self.table = table
    self.newRows = newRows
    guard texts.contains(where: { $0.names(.localDays) }) else {
      zones = []
      return
    }
    var zones: [Zone] = []
    for name in database.understoodNames { zones.append(try database.zone(named: name)) }
    self.zones = zones
  }

  /// What stands for a parameter, or for one with columns behind it.
  func statement(of parameter: SQLParameter, _ columns: SQLText.Columns?) -> Statement {
    switch parameter {
    case .moment: "(\(moment)::timestamptz)"
    case .localDays: localDays
    case .keys: "SELECT \(table.columns()) FROM picked"
    case .since: isNew(columns)
    }
  }

  private func isNew(_ columns: SQLText.Columns?) -> Statement {
    guard let columns, let newRows else { return "NULL::boolean" }
    return newRows.condition(
      received: Statement(verbatim: columns.received),
      written: Statement(verbatim: columns.written))
  }

  private var localDays: Statement {
    let days = zones.map { $0.localDay(of: moment) }
    let starts = zip(zones, days).map { $0.startOfDay($1) }
    return """
      (SELECT * FROM unnest(\(zones.map(\.name)), \(days), \(starts),
        \(zones.map { $0.offset(at: moment) })) AS zone (zone, day, starts_at, utc_offset))
      """
  }
}

extension SQLText {
  func names(_ parameter: SQLParameter) -> Bool {
    tokens.contains { $0.kind == .parameter(parameter.rawValue) }
  }

  /// The text with values in the place of its parameters, on lines of its own, so that a comment ends in it.
  func statement(with values: SQLValues) -> Statement {
    statement(of: 0..<sql.unicodeScalars.count, with: values)
  }

  /// The same of a part of the text.
  func statement(of range: Range<Int>, with values: SQLValues) -> Statement {
    var (whole, end): (Statement, Int) = ("\n", range.lowerBound)
    for (index, token) in tokens.enumerated() where range.contains(token.range.lowerBound) {
      guard case .parameter(let name) = token.kind, let parameter = SQLParameter(rawValue: name)
      else { continue }
      let before = sql(in: end..<token.range.lowerBound)
      let columns = parameter == .since ? self.columns(behind: index) : nil
      whole = "\(whole)\(verbatim: before)\(values.statement(of: parameter, columns))"
      end = columns?.end ?? token.range.upperBound
    }
    return "\(whole)\(verbatim: sql(in: end..<range.upperBound))\n"
  }
}

extension SQLText {
  /// The two columns that stand in parentheses behind `:since`.
  struct Columns {
    let received: String
    let written: String

    /// Behind the parenthesis that closes.
    let end: Int
  }

  /// The columns in the parentheses behind a token; nothing where there are not two of them.
  func columns(behind index: Int) -> Columns? {
    guard tokens.indices.contains(index + 1), tokens[index + 1].isSign("("),
      let close = tokens[index...].firstIndex(where: { $0.isSign(")") })
    else { return nil }
    let lists = tokens[(index + 2)..<close].split(omittingEmptySubsequences: false) {
      $0.isSign(",")
    }
    guard lists.count == 2, lists.allSatisfy(\.isColumn) else { return nil }
    return Columns(
      received: sql(of: lists[0]), written: sql(of: lists[1]), end: tokens[close].range.upperBound)
  }
}

extension ArraySlice<SQLToken> {
  /// Whether it is a name, or names with points between them.
  fileprivate var isColumn: Bool {
    count % 2 == 1
      && enumerated().allSatisfy { place, token in
        place % 2 == 0 ? token.name != nil : token.isSign(".")
      }
  }
}
