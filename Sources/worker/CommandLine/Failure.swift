internal import JobKit
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
    case let error as SchemaBehind:
      (lines, exitCode) = ([error.description], .refusedForNow)
    case let error as ManualRun.Refused:
      (lines, exitCode) = ([error.description], .refusedForNow)
    case let error as MigrationError:
      (lines, exitCode) = ([error.description], .refusedForNow)
    case let error as NoSuchRun:
      (lines, exitCode) = ([error.description], .badData)
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
