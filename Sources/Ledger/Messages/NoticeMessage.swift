public import LocalTime
internal import Postgres

/// What people are to be told: one event of a job, or many that were folded into one message.
public struct NoticeMessage: Sendable, Equatable {
  /// The same whenever the message is sent again, so that a receiver can tell.
  public let id: Int
  public let event: NoticeEvent
  public let job: String

  /// How often it happened, and from when to when.
  public var times = 1
  public let firstAt: Instant
  public let lastAt: Instant

  /// When it was first to be told, which may be long after what it tells of.
  public let madeAt: Instant

  /// The newest run that it is about, and why.
  public var run: Int?
  public var reason: String?

  /// What is told of an outage alone.
  public var outage: Outage?

  /// A time in which nothing was decided, and the ticks that were missed in it.
  public struct Outage: Sendable, Equatable {
    /// How long it was, without the moments in which a daemon was back and decided ticks.
    public let length: Duration

    /// Whether no daemon was away: one was stopped, or cut off from the database.
    public let hadDaemon: Bool

    /// The first and the last tick, of which each may lie a little outside of the time.
    public let ticks: ClosedRange<Instant>

    public init(length: Duration, hadDaemon: Bool, ticks: ClosedRange<Instant>) {
      (self.length, self.hadDaemon, self.ticks) = (length, hadDaemon, ticks)
    }
  }

  package var epoch = 0
  var tries = 0
  package var toldChannels: [String] = []
}

extension NoticeMessage {
  /// A message that says only that messages arrive.
  ///
  /// Its id is below zero, where the ledger has none, and another one each time: receivers drop what they have seen.
  public static func test(at now: Instant) -> NoticeMessage {
    NoticeMessage(
      id: -Int(now.microseconds), event: .test, job: "none", firstAt: now, lastAt: now,
      madeAt: now)
  }

  init(_ row: Row) throws(PostgresError) {
    id = try row["id"]
    event = NoticeEvent(rawValue: try row["event"]) ?? .failed
    job = try row["job"]
    times = try row["times"]
    firstAt = try row["first_at"]
    lastAt = try row["last_at"]
    madeAt = try row["made_at"]
    run = try row["run"]
    reason = try row["reason"]
    outage = try Outage(row)
    epoch = try row["epoch"]
    tries = try row["tries"]
    toldChannels = try row["told_channels"]
  }
}

extension NoticeMessage.Outage {
  /// Nothing when the message is about something else.
  init?(_ row: Row) throws(PostgresError) {
    guard let seconds = try row["length_seconds", as: Double?.self] else { return nil }
    let first = try row["first_tick", as: Instant.self]
    let last = try row["last_tick", as: Instant.self]
    let (start, end) = (try row["first_at", as: Instant.self], try row["last_at", as: Instant.self])
    let interrupted = (end - start) / .seconds(1) - seconds
    self.init(
      length: Self.length(from: start, to: end, without: .seconds(interrupted.rounded())),
      hadDaemon: try row["had_daemon"], ticks: first...max(first, last))
  }

  /// How long an outage is, wherever it is told: from second to second, as people read its ends, without the whole
  /// seconds in which daemons were back.
  static func length(
    from start: Instant, to end: Instant, without interrupted: Duration
  ) -> Duration {
    max(.zero, .seconds(end.secondsSince1970 - start.secondsSince1970) - interrupted)
  }
}
