internal import Postgres

/// An error as the operator meets it: one sentence, and the exit code that scripts act on.
struct Failure {
  let sentence: String
  let exitCode: ExitCode

  init(_ error: any Error) {
    switch error {
    case let error as UsageError:
      (sentence, exitCode) = ("\(error)", .usage)
    case let error as SettingsFile.Refused:
      (sentence, exitCode) = ("\(error)", .configuration)
    case let error as PostgresError:
      (sentence, exitCode) = ("\(error)", .databaseUnreachable)
    default:
      (sentence, exitCode) = ("\(error)", .internalError)
    }
  }
}
