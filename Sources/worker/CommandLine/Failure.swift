internal import LocalTime
internal import Postgres

/// An error as the operator meets it: a sentence, or a line for each, and the exit code that scripts
/// act on.
struct Failure {
  let lines: [String]
  let exitCode: ExitCode

  init(_ error: any Error) {
    switch error {
    case let error as UsageError:
      (lines, exitCode) = ([error.description], .usage)
    case let error as SettingsFile.Refused:
      (lines, exitCode) = (error.lines, .configuration)
    case let error as ZoneError:
      (lines, exitCode) = ([error.description], .configuration)
    case let error as Unwritten:
      (lines, exitCode) = ([error.description], .unwritten)
    case let error as PostgresError:
      (lines, exitCode) = ([error.description], Self.exitCode(of: error))
    default:
      (lines, exitCode) = (["\(error)"], .internalError)
    }
  }

  private static func exitCode(of error: PostgresError) -> ExitCode {
    switch error {
    case .unusable: .configuration
    case .cannotReach, .refused, .lost: .databaseUnreachable
    default: .internalError
    }
  }
}
