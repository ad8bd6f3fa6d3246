public import LocalTime
internal import Postgres

/// One run as the ledger tells of it.
public struct RunRecord: Sendable, Equatable {
  public let id: Int
  public let job: String
  public let scheduledFor: Instant
  public let trigger: String
  public let state: String
  public let reason: String?
  public let ticks: Int
  public let firstTick: Instant?
  public let parts: Int
  public let partsLeft: Int
  public let startedAt: Instant?
  public let finishedAt: Instant?
  public let version: String?
  public let decidedBy: String

  /// The share of the learners that it is for.
  public let percent: Int

  /// How many it said it would touch, and who let it go on although that was outside its bounds.
  public let planned: Int?
  public let approvedBy: String?

  /// What its parts come to.
  public let done: Int
  public let total: Int?
  public let counters: Counters
  public let error: String?

  /// How long it has been running, or ran; nothing when it never did.
  public func duration(at now: Instant) -> Duration? {
    startedAt.map { (finishedAt ?? now) - $0 }
  }
}

extension RunRecord {
  init(_ row: Row) throws(PostgresError) {
    id = try row["id"]
    job = try row["job"]
    scheduledFor = try row["scheduled_for"]
    trigger = try row["trigger"]
    state = try row["state"]
    reason = try row["reason"]
    ticks = try row["ticks"]
    firstTick = try row["first_tick"]
    parts = try row["parts"]
    partsLeft = try row["parts_left"]
    startedAt = try row["started_at"]
    finishedAt = try row["finished_at"]
    version = try row["version"]
    decidedBy = try row["decided_by"]
    percent = try row["percent"]
    planned = try row["planned"]
    approvedBy = try row["approved_by"]
    done = try row["done"]
    total = try row["total"]
    counters = Counters(names: try row["counter_names"], values: try row["counter_values"])
    error = try row["error"]
  }
}
