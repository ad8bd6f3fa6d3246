public import JobKit
public import LocalTime
internal import Postgres

/// One job as the ledger knows it.
public struct JobRecord: Sendable, Equatable {
  public let name: JobName
  public let decidedUntil: Instant

  /// From when on its ticks are decided, at the earliest.
  public let knownSince: Instant
  public let pause: Pause?

  /// The newest run that ran, and what became of it.
  public let lastRun: Instant?
  public let lastState: RunState?

  /// The run that waits for somebody's approval.
  public let heldRun: Int?

  /// The first of its ticks that wait for other jobs.
  public let waitingRun: Int?

  /// Whether the newest run that began is not over.
  public var isLastOpen: Bool { lastState?.isOpen == true }
}

extension JobRecord {
  init(_ row: Row) throws(PostgresError) {
    name = try row["name"]
    decidedUntil = try row["decided_until"]
    knownSince = try row["known_since"]
    pause = try Pause(row)
    lastRun = try row["last_run"]
    lastState = try row["last_state"]
    heldRun = try row["held_run"]
    waitingRun = try row["waiting_run"]
  }
}
