public import Config
public import JobKit
public import LocalTime

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
    loader.readRules(of: catalogue)
    let zones = loader.openZones(open)
    loader.readJobs(of: catalogue, in: zones)
    return try loader.result(zones: zones, checking: check)
  }
}
