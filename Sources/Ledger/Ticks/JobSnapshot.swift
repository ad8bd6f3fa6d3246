public import LocalTime
import Postgres

/// What the ledger says about a job at the moment of a decision.
public struct JobSnapshot: Sendable, Equatable {
  /// Every tick up to here is decided.
  public var decidedUntil: Instant

  /// The ticks up to here were decided before the clock was set back.
  public var repeatsUntil: Instant?

  public var pause: Pause?

  /// Which table or right it lacks.
  public var block: Block?

  /// The schedule by which the job was decided last, as it was written down.
  public var schedule: String?

  /// Whether a run of the job goes on, and whether another waits to start.
  public var hasRunning = false
  public var hasWaiting = false

  public init(decidedUntil: Instant) {
    self.decidedUntil = decidedUntil
  }
}

/// What keeps a job from running at all: a table that is not there, or a right to one.
public struct Block: Sendable, Equatable {
  public let reason: String
  public let since: Instant

  public init(reason: String, since: Instant) {
    (self.reason, self.since) = (reason, since)
  }
}

/// A job paused by somebody, for a reason.
public struct Pause: Sendable, Equatable {
  public let since: Instant
  public let author: String
  public let reason: String
  public let until: Instant?

  /// After how long a pause without an end counts as forgotten, unless the settings say otherwise.
  public static let forgottenAfter = Duration.seconds(86_400)

  public init(since: Instant, author: String, reason: String, until: Instant? = nil) {
    self.since = since
    self.author = author
    self.reason = reason
    self.until = until
  }

  /// Whether it holds the tick of this moment.
  public func covers(_ instant: Instant) -> Bool {
    since <= instant && until.map { instant < $0 } ?? true
  }
}

extension JobSnapshot {
  init(_ row: Row) throws(PostgresError) {
    self.init(decidedUntil: try row["decided_until"])
    repeatsUntil = try row["repeats_until"]
    hasRunning = try row["has_running"]
    hasWaiting = try row["has_waiting"]
    schedule = try row["schedule"]
    pause = try Pause(row)
    block = try Block(row)
  }
}

extension Block {
  /// What a job's row says that it lacks, or nothing.
  init?(_ row: Row) throws(PostgresError) {
    guard let reason = try row["blocked_because", as: String?.self],
      let since = try row["blocked_since", as: Instant?.self]
    else { return nil }
    self.init(reason: reason, since: since)
  }
}

extension Pause {
  /// The pause that a job's row tells of, or nothing.
  init?(_ row: Row) throws(PostgresError) {
    guard let since = try row["paused_at", as: Instant?.self],
      let author = try row["paused_by", as: String?.self],
      let reason = try row["pause_reason", as: String?.self]
    else { return nil }
    self.init(since: since, author: author, reason: reason, until: try row["paused_until"])
  }
}
