internal import SampleWorld
internal import JobKit
internal import Jobs
internal import Ledger
internal import LocalTime
internal import Migrations
internal import Postgres
internal import SQLJobs

/// An error that says in one sentence what went wrong, and how the program ends with it.
protocol EndingError: Error, CustomStringConvertible {
  var exitCode: ExitCode { get }

  /// The sentence, or a line for each of several.
  var lines: [String] { get }
}

extension EndingError {
  var lines: [String] { [description] }
}

extension UsageError: EndingError {
  var exitCode: ExitCode { .usage }
}

extension ZoneError: EndingError {
  var exitCode: ExitCode { .configuration }
}

extension Unwritten: EndingError {
  var exitCode: ExitCode { .unwritten }
}

extension MigrationError: EndingError {
  var exitCode: ExitCode { .refusedForNow }
}

extension RightsMissing: EndingError {
  var exitCode: ExitCode { .notPermitted }
}

extension BackfillError: EndingError {
  var exitCode: ExitCode { .badData }
}

extension LiveWorld.Absent: EndingError {
  var exitCode: ExitCode { .badData }
}

extension Filling.Refused: EndingError {
  var exitCode: ExitCode { .badData }
}

extension UnknownLearner: EndingError {
  var exitCode: ExitCode { .badData }
}

extension NoSuchRow: EndingError {
  var exitCode: ExitCode { .badData }
}

extension UnreadableKey: EndingError {
  var exitCode: ExitCode { .badData }
}

extension NoSuchPartition: EndingError {
  var exitCode: ExitCode { .badData }
}

extension SQLTableFault: EndingError {
  var exitCode: ExitCode { .configuration }
}

extension PartitionFault: EndingError {
  var exitCode: ExitCode { .configuration }
}

extension DayIsOver: EndingError {
  var exitCode: ExitCode { .badData }
}

extension NewFile.Refused: EndingError {
  var description: String { "cannot write '\(path)': \(reason)" }
  var exitCode: ExitCode { .unwritten }
}

extension PushLog.Unopened: EndingError {
  /// What the settings name wrongly stays wrong; a disk that takes no files for now may take them soon.
  var exitCode: ExitCode { isOfSettings ? .configuration : .refusedForNow }
}

/// An error as the operator meets it: a sentence, or a line for each, and the exit code that scripts
/// act on.
struct Failure {
  let lines: [String]
  let exitCode: ExitCode

  init(_ error: any Error) {
    switch error {
    case let error as RightsMissing:
      (lines, exitCode) = (error.lines, error.exitCode)
    case let error as any EndingError:
      (lines, exitCode) = (error.lines, error.exitCode)
    case let error as PostgresError:
      (lines, exitCode) = ([error.sentence], error.exitCode)
    default:
      (lines, exitCode) = (["\(error)"], .internalError)
    }
  }
}
