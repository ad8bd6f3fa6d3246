internal import JobKit
internal import LocalTime
internal import Postgres

/// What `worker check` found.
struct CheckReport {
  let file: String
  let now: Instant
  let settings: Result<LoadedSettings, SettingsFile.Refused>
  let database: Result<DatabaseGreeting, PostgresError>?

  init(of file: SettingsFile, now: Instant, asksDatabase: Bool) {
    self.file = file.path
    self.now = now
    let settings = Result { () throws(SettingsFile.Refused) in try file.load() }
    self.settings = settings
    database =
      asksDatabase
      ? (try? settings.get()).map { DatabaseGreeting.ask($0.settings.database) }
      : nil
  }

  var exitCode: ExitCode {
    switch (settings, database) {
    case (.failure, _): .configuration
    case (_, .failure(let error)): Failure(error).exitCode
    default: .done
    }
  }
}
