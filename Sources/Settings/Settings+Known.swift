public import Config
public import JobKit

extension Settings {
  /// Every setting that a file may have, in the order in which it is read; calendars are free to be
  /// called anything.
  public static func known(to catalogue: Catalogue) -> [KnownSetting] {
    var loader = SettingsLoader("", file: "", environment: [:])
    loader.readTables()
    loader.readRules(of: catalogue)
    loader.readJobs(of: catalogue, in: nil)
    return loader.known
  }
}
