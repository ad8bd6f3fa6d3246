/// A setting that there is, and what may be written there.
public struct KnownSetting: Sendable, Hashable {
  /// Where it stands, such as "jobs.deliver_pushes.enabled".
  public let name: String

  /// In the words of a refusal, such as "a whole number from 1 to 64, such as 4".
  public let wanted: String
}

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
