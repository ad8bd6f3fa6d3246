internal import LocalTime
internal import Migrations
internal import Postgres

/// A value that a piece of SQL of the settings may name.
enum SQLParameter: String, CaseIterable {
  /// The moment that the run stands for.
  case moment
  /// What the calendar and the clocks of each zone show at that moment, as a table.
  case localDays = "local_days"
  /// The keys of the rows of a chunk, as what stands in the parentheses of `IN (…)`.
  case keys
}

/// What the parameters stand for in one run.
struct SQLValues {
  let moment: Instant
  private let table: SQLTable
  private let zones: [Zone]

  /// The zones are read when a text names them: there are some five hundred.
  init(
    at moment: Instant, in database: ZoneDatabase, for job: RowJob
  ) throws(ZoneError) {
    self.moment = moment
    table = job.table
    guard job.texts.contains(where: { $0.names(.localDays) }) else {
      zones = []
      return
    }
    var zones: [Zone] = []
    for name in database.understoodNames { zones.append(try database.zone(named: name)) }
    self.zones = zones
  }

  func statement(of parameter: SQLParameter) -> Statement {
    switch parameter {
    case .moment: "(\(moment)::timestamptz)"
    case .localDays: localDays
    case .keys: "SELECT \(table.columns()) FROM picked"
    }
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
    for token in tokens where range.contains(token.range.lowerBound) {
      guard case .parameter(let name) = token.kind, let parameter = SQLParameter(rawValue: name)
      else { continue }
      let before = sql(in: end..<token.range.lowerBound)
      whole = "\(whole)\(verbatim: before)\(values.statement(of: parameter))"
      end = token.range.upperBound
    }
    return "\(whole)\(verbatim: sql(in: end..<range.upperBound))\n"
  }
}
