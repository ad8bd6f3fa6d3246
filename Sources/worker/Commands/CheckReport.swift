internal import JobKit
internal import LocalTime
internal import Postgres

/// What `worker check` found.
struct CheckReport {
  let file: String
  let now: Instant
  let settings: Result<LoadedSettings, SettingsFile.Refused>
  let database: Result<DatabaseGreeting?, any Error>?

  init(of file: SettingsFile, now: Instant, asksDatabase: Bool) {
    self.file = file.path
    self.now = now
    let settings = Result { () throws(SettingsFile.Refused) in try file.load() }
    self.settings = settings
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
    default: .done
    }
  }
}
