package import Config
package import LocalTime
package import Postgres

/// A kind of job that a table of the settings describes whole, as `[jobs.NAME]` with `kind = "delete"` does.
package protocol SettingsJobKind: Sendable {
  /// What stands behind `kind =`.
  var word: String { get }

  /// Reads the job from its table, which stands at `position`, or notes there what is wrong with it.
  ///
  /// What every job has, such as its schedule and its bounds, is read by others.
  func read(
    _ name: JobName, from table: inout TableReader, at position: SourcePosition
  ) -> (any SettingsJob)?
}

/// A job that a table of the settings describes whole.
package protocol SettingsJob: Job {
  /// What the settings say of its work, in order.
  var listing: [(key: String, value: String)] { get }

  /// What an operator may want to know of these settings, although the job can be run by them.
  var remarks: [Problem] { get }

  /// The job with the zone of its schedule, for what it says of days.
  func scheduled(in zone: Zone) -> any SettingsJob

  /// The job with somebody who hears each line that its programs print.
  func printing(to listener: @escaping @Sendable (PrintedLine) -> Void) -> any SettingsJob

  /// What a database has against the job, whose runs are cut into `parts` for `percent` of its rows.
  ///
  /// It is asked in transactions that can only read, and nothing of the job is carried out.
  func findings(
    parts: Int, percent: Int, at now: Instant, in zones: ZoneDatabase,
    on connection: borrowing Connection
  ) throws -> [JobFinding]
}

extension SettingsJob {
  package var remarks: [Problem] { [] }

  package func scheduled(in zone: Zone) -> any SettingsJob { self }

  package func printing(
    to listener: @escaping @Sendable (PrintedLine) -> Void
  ) -> any SettingsJob { self }
}

/// What a database has against a job of the settings.
package struct JobFinding: Sendable, Equatable {
  package let problem: Problem

  /// Whether the job can be run all the same.
  package let isRemark: Bool

  package init(_ problem: Problem, isRemark: Bool = false) {
    (self.problem, self.isRemark) = (problem, isRemark)
  }
}
