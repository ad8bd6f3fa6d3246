internal import JobKit
internal import Jobs
internal import LocalTime
internal import Postgres
internal import Push
internal import Settings

/// What `worker check` found.
struct CheckReport {
  let file: String
  let now: Instant
  let settings: Result<LoadedSettings, SettingsFile.Refused>
  let database: Result<DatabaseGreeting?, any Error>?

  /// What keeps a provider of pushes from being used.
  let pushes: PushKeyFault?

  init(of file: SettingsFile, now: Instant, asksDatabase: Bool) {
    self.file = file.path
    self.now = now
    let settings = Result { () throws(SettingsFile.Refused) in try file.load() }
    self.settings = settings
    let database = (try? settings.get()).map { loaded in
      Result {
        let server = try loaded.settings.database.server(
          credentials: Environment["CREDENTIALS_DIRECTORY"])
        let usesProviders = ProviderRules(loaded.settings.rules).isUsed
        return asksDatabase
          ? try DatabaseGreeting.ask(server, ofDevices: usesProviders) : nil
      }
    }
    self.database = database
    let needed = (try? database?.get())?.providers ?? []
    pushes = (try? settings.get()).flatMap { loaded in
      let rules = ProviderRules(loaded.settings.rules)
      return Self.fault(in: rules) ?? rules.fault(needing: needed)
    }
  }

  var exitCode: ExitCode {
    switch (settings, database) {
    case (.failure, _): .configuration
    case (_, .failure(let error)): Failure(error).exitCode
    default: pushes.map(\.exitCode) ?? .done
    }
  }

  private static func fault(in rules: ProviderRules) -> PushKeyFault? {
    do throws(PushKeyFault) {
      _ = try PushKeys(rules)
      return nil
    } catch {
      return error
    }
  }
}

extension ProviderRules {
  /// Why devices cannot have their pushes that need these providers.
  func fault(needing providers: [PushProvider]) -> PushKeyFault? {
    guard isUsed else { return nil }
    let missing = providers.filter { !enables($0) }.map(\.rawValue)
    guard !missing.isEmpty else { return nil }
    let tables = missing.map { "[push.\($0)]" }.joined(separator: " and ")
    return PushKeyFault(
      "learners have devices of \(missing.joined(separator: " and ")), and \(tables)"
        + " \(missing.count == 1 ? "is" : "are") not enabled, so their pushes wait: write"
        + " 'enabled = true' there, with the key that docs/push.md tells of")
  }
}
