internal import Config
internal import JobKit
import LocalTime

/// Reads settings in the order in which one thing needs another, and collects every problem.
struct SettingsLoader {
  private let file: String
  private let environment: [String: String]
  private let document: TomlDocument
  private var reader: TableReader
  private var settings = Settings()
  private var calendars = CalendarsReader()
  private var problems: [Problem]
  private var warnings: [Problem] = []
  private var described: [any SettingsJob] = []

  init(_ text: String, file: String, environment: [String: String]) {
    self.file = file
    self.environment = environment
    document = TomlDocument(text)
    reader = TableReader(document.root, file: file, source: TomlText(text))
    problems = document.faults.map { fault in
      Problem(file: file, position: fault.position, what: .syntax(fault.sentence))
    }
  }

  mutating func readTables() {
    settings.read(from: &reader)
    reader.section("calendars") { calendars.read(from: &$0) }
    settings.calendars = calendars.calendars
    settings.database.url = override(
      settings.database.url, by: "WORKER_DATABASE_URL", as: .connection)
    settings.log.format = override(settings.log.format, by: "WORKER_LOG_FORMAT", as: .choice)
  }

  /// The value of an environment variable that is set, else `value`; an empty one counts as unset.
  private mutating func override<Value>(
    _ value: Value, by variable: String, as kind: SettingKind<Value>
  ) -> Value {
    guard let text = environment[variable], !text.isEmpty else { return value }
    do throws(Misfit) {
      return try kind.read(.string(text))
    } catch {
      let fault = error.fault(name: variable, found: .string(text), wanted: kind.wanted)
      problems.append(Problem(file: "environment", what: fault))
      return value
    }
  }

  mutating func readApps(of catalogue: Catalogue) {
    guard !catalogue.apps.isEmpty else { return }
    settings.apps = reader.section("apps") { section in
      catalogue.apps.map { app in
        AppSettings(name: app.name, isOn: section.read(app.name, as: .flag, else: app.isOn))
      }
    }
    for app in catalogue.apps {
      guard let reason = app.reason(settings.apps) else { continue }
      for table in app.tables { reader.forbid(table, because: reason) }
    }
  }

  mutating func readRules(of catalogue: Catalogue) {
    var book = RuleBook()
    var tables: [[Substring]] = []
    for rule in catalogue.rules where !tables.contains(rule.path) { tables.append(rule.path) }
    for table in tables where table.count == 1 {
      reader.section(String(table[0])) { section in
        catalogue.rules.read(table, from: &section, into: &book)
        for below in tables where below.count == 2 && below[0] == table[0] {
          section.section(String(below[1])) { section in
            catalogue.rules.read(below, from: &section, into: &book)
          }
        }
      }
    }
    settings.rules = book
  }

  mutating func openZones(
    _ open: (_ folder: String?) throws(ZoneError) -> ZoneDatabase
  ) -> ZoneDatabase? {
    do throws(ZoneError) {
      return try open(settings.time.zoneinfo)
    } catch {
      let position = document.position(of: "zoneinfo", in: "time")
      problems.append(Problem(file: file, position: position, what: .noZones(error.description)))
      return nil
    }
  }

  mutating func readJobs(of catalogue: Catalogue, in zones: ZoneDatabase?) {
    let position = document.position(of: "zone", in: "time")
    var jobs = JobsReader(
      catalogue: catalogue, zones: zones, file: file,
      defaultZone: .init(name: settings.time.zone, position: position),
      calendars: settings.calendars, apps: settings.apps)
    settings.jobs = reader.section("jobs") { jobs.read(from: &$0) }
    described = jobs.described
    problems += jobs.problems
    warnings += jobs.warnings
    remarkOnIdleCalendars()
  }

  private mutating func remarkOnIdleCalendars() {
    let used = Set(settings.jobs.flatMap(\.schedule.exclusions.calendars).map(\.name))
    for calendar in settings.calendars where !used.contains(calendar.name) {
      let remark =
        "no job is kept off the days of the calendar \(calendar.name.inQuotes):"
        + " a job that is to be names it in 'except'"
      warnings.append(
        Problem(file: file, position: calendars.positions[calendar.name], what: .remark(remark)))
    }
  }

  /// Every setting that was asked for.
  var known: [KnownSetting] { reader.asked }

  func result(
    zones: ZoneDatabase?, checking check: (Settings) -> [Problem]
  ) throws(SettingsError) -> LoadedSettings {
    let all = (problems + reader.problems + reader.strangers).inOrder + check(settings)
    guard all.isEmpty, let zones else { throw SettingsError(problems: all) }
    return LoadedSettings(
      settings: settings, zones: zones, warnings: warnings.inOrder, known: known,
      described: described)
  }
}

extension [Problem] {
  /// Those of no place in the file first, then down the file.
  fileprivate var inOrder: [Problem] {
    let start = SourcePosition(line: 0, column: 0)
    return enumerated().sorted { one, other in
      (one.element.position ?? start, one.offset) < (other.element.position ?? start, other.offset)
    }.map(\.element)
  }
}

extension TomlDocument {
  fileprivate func position(of key: String, in table: String) -> SourcePosition? {
    guard case .table(let table) = root[table]?.content else { return nil }
    return table[key]?.position
  }
}

extension AnyRule {
  /// The tables in each other in which it stands, as ["push", "apns"] for `[push.apns]`.
  fileprivate var path: [Substring] { table.split(separator: ".") }
}

extension [AnyRule] {
  /// Reads those of one table.
  fileprivate func read(
    _ table: [Substring], from reader: inout TableReader, into book: inout RuleBook
  ) {
    for rule in self where rule.path == table { rule.read(from: &reader, into: &book) }
  }
}
