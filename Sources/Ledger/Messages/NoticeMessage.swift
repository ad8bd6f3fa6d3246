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
    epoch = try row["epoch"]
    tries = try row["tries"]
    toldChannels = try row["told_channels"]
  }
}
