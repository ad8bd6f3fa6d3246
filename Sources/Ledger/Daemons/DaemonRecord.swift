public import LocalTime
internal import Postgres

/// One daemon as the ledger tells of it.
public struct DaemonRecord: Sendable, Equatable {
  public let name: String
  public let host: String
  public let process: Int
  public let version: String
  public let settingsHash: String
  public let jobs: [String]
  public let startedAt: Instant
  public let seenAt: Instant

  /// When it had decided all that was due.
  public let readyAt: Instant?
  public let isDraining: Bool

  /// Whether it is a run by hand, which decides nothing.
  public let isByHand: Bool

  /// Who asked it to end.
  public let drainAskedBy: String?

  /// Whether it was seen lately: it shows itself each quarter of a minute.
  public func isAlive(at now: Instant) -> Bool { seenAt > now - Self.aliveFor }

  /// Whether it should have shown itself by now: it may have been killed a moment ago.
  public func isOverdue(at now: Instant) -> Bool { seenAt < now - Self.seenWithin }

  /// For how long a daemon counts as alive that was not seen: it has missed three signs of life then.
  public static let aliveFor = Duration.seconds(45)

  /// Within what a daemon that is well shows itself again.
  private static let seenWithin = Duration.seconds(20)
}

extension DaemonRecord {
  init(_ row: Row) throws(PostgresError) {
    name = try row["name"]
    host = try row["host"]
    process = try row["process"]
    version = try row["version"]
    settingsHash = try row["settings_hash"]
    jobs = try row["jobs"]
    startedAt = try row["started_at"]
    seenAt = try row["seen_at"]
    readyAt = try row["ready_at"]
    isDraining = try row["draining"]
    isByHand = try row["by_hand"]
    drainAskedBy = try row["drain_asked_by"]
  }
}
