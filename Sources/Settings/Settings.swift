public import Config
public import JobKit
public import Ledger
public import LocalTime

/// Everything that can be set, read and checked.
public struct Settings: Sendable, Equatable {
  /// How many workers a daemon has, each at a part of a run, or a batch of its parts.
  public var workers = 4
  public var database = DatabaseSettings()
  public var time = TimeSettings()
  public var log = LogSettings()
  public var retention = Retention()
  public var http = HttpSettings()
  public var notify = NotifySettings()
  /// The days on which jobs that name them do not run.
  public var calendars: [Calendar] = []
  /// The apps that the program has, each switched on or off.
  public var apps: [AppSettings] = []
  /// The rules that the jobs go by.
  public var rules = RuleBook()
  /// Every job of the catalogue, in its order, whether the file names it or not.
  public var jobs: [JobSettings] = []
}

extension Settings: SettingsTable {
  package static var fields: [SettingField<Self>] {
    [
      .init("workers", \.workers, as: .count(1...64, suchAs: 4)),
      .init("database", \.database),
      .init("time", \.time),
      .init("log", \.log),
      .init("retention", \.retention),
      .init("http", \.http),
      .init("notify", \.notify),
    ]
  }

  /// Every setting that is in force, by the names and in the order of `config/worker.toml`.
  ///
  /// Nothing in it is secret: a password never becomes a setting.
  public var listing: [SettingLine] {
    let fields = JobSettings.fields
    return lines() + calendars.map(\.line) + apps.map(\.line) + rules.listing
      + jobs.flatMap { $0.listing(fields) }
  }

  /// What is different from other settings, a line for each, such as "workers: 4 -> 8".
  public func changes(since old: Settings) -> [SettingChange] {
    let (before, after) = (old.values, values)
    let names = listing.map(\.name) + old.listing.map(\.name).filter { after[$0] == nil }
    return names.compactMap { name in
      let change = SettingChange(name: name, before: before[name], after: after[name])
      return change.before == change.after ? nil : change
    }
  }

  private var values: [String: String] {
    Dictionary(listing.map { ($0.name, $0.value) }) { first, _ in first }
  }
}

extension Settings {
  /// Every setting that a file may have, in the order in which it is read; calendars are free to be
  /// called anything.
  public static func known(to catalogue: Catalogue) -> [KnownSetting] {
    var loader = SettingsLoader("", file: "", environment: [:])
    loader.readTables()
    loader.readApps(of: catalogue)
    loader.readRules(of: catalogue)
    loader.readJobs(of: catalogue, in: nil)
    return loader.known
  }
}

extension Settings {
  /// Reads the text of a file of settings and checks all of it, or gives everything that is wrong.
  ///
  /// `open` is asked once for the zones of the configured folder, or of none; it is a parameter
  /// because where zones come from by default is in the environment, which only the program reads.
  /// `check` looks at what only the program knows, also of settings that have other faults.
  public static func load(
    _ text: String, file: String, catalogue: Catalogue, environment: [String: String] = [:],
    zones open: (_ folder: String?) throws(ZoneError) -> ZoneDatabase,
    checking check: (Settings) -> [Problem] = { _ in [] }
  ) throws(SettingsError) -> LoadedSettings {
    var loader = SettingsLoader(text, file: file, environment: environment)
    loader.readTables()
    loader.readApps(of: catalogue)
    loader.readRules(of: catalogue)
    let zones = loader.openZones(open)
    loader.readJobs(of: catalogue, in: zones)
    return try loader.result(zones: zones, checking: check)
  }
}
