public import LocalTime

/// What the ledger says about a job at the moment of a decision.
public struct Standing: Sendable, Equatable {
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
