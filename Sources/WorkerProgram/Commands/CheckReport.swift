internal import JobKit
internal import Jobs
internal import LocalTime
internal import Postgres
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
    pushes = (try? settings.get()).flatMap { Self.fault(in: ProviderRules($0.settings.rules)) }
    database = (try? settings.get()).map { loaded in
      Result {
        let server = try loaded.settings.database.server(
          credentials: Environment["CREDENTIALS_DIRECTORY"])
        return asksDatabase ? try DatabaseGreeting.ask(server) : nil
      }
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
