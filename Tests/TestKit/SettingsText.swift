internal import Config
package import JobKit
internal import LocalTime
package import Settings

/// A text of settings, read as the daemon reads it.
package struct SettingsText {
  private let text: String
  private let catalogue: Catalogue
  private let environment: [String: String]

  /// Settings that may name what the catalogue has.
  package init(_ text: String, _ catalogue: Catalogue, environment: [String: String] = [:]) {
    (self.text, self.catalogue, self.environment) = (text, catalogue, environment)
  }

  package func load() throws -> LoadedSettings {
    let zones = try Stage.zones.get()
    return try Settings.load(
      text, file: "worker.toml", catalogue: catalogue, environment: environment
    ) { _ throws(ZoneError) in zones }
  }

  /// All that is said against it, with line and column, without the name of the file.
  package var problems: [String] {
    get throws {
      do {
        _ = try load()
        return []
      } catch let error as SettingsError {
        return error.problems.map { "\($0)".replacing("worker.toml:", with: "") }
      }
    }
  }
}
