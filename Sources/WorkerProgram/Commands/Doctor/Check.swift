internal import JobKit
internal import LocalTime
internal import Postgres
internal import Settings

/// One thing that the doctor looks at.
protocol Check: Sendable {
  /// What it is called in the report, and in --only.
  var name: String { get }
}

/// A check that needs no database.
protocol HostCheck: Check {
  func check(at patient: Patient) -> [Observation]
}

/// A check that asks the database.
protocol DatabaseCheck: Check {
  func check(at patient: Patient, on connection: borrowing Connection) throws -> [Observation]

  /// What is not looked at where the database does not answer; nothing where there is nothing to ask it.
  func subject(at patient: Patient) -> String?
}

extension DatabaseCheck {
  func subject(at patient: Patient) -> String? { name }
}

/// What is looked at: an installation with settings that can be read.
struct Patient: Sendable {
  let loaded: LoadedSettings
  let server: Server

  /// The moment of the visit, by this host's clock.
  let now: Instant

  /// Whether providers of pushes are to be connected to.
  var reachesProviders = false

  var settings: Settings { loaded.settings }

  /// How many connections a daemon of these settings has: its workers, its maintenance loop, its scheduler; and one
  /// for whoever looks.
  var connections: Int { settings.workers + 3 }
}
