public import JobKit
public import LocalTime
internal import Postgres

/// One run as the ledger tells of it.
public struct RunRecord: Sendable, Equatable {
  public let id: Int
  public let job: JobName
  public let scheduledFor: Instant
  public let trigger: RunTrigger
  public let state: RunState

  /// What became of each tick of a row that stands for many, which is `collapsed`.
  public let fate: RunState?
  public let reason: String?
  public let ticks: Int
  public let firstTick: Instant?
  public let parts: Int
  public let partsLeft: Int
  public let startedAt: Instant?
  public let finishedAt: Instant?
  public let version: String?
  public let decidedBy: String

  /// By which key the app asked for it, and from when on it may become due.
  public let requestKey: String?
  public let waitsUntil: Instant?

  /// The jobs that it comes after, until when it waits for them, and while it does how they stand.
  public let after: [JobName]
  public let afterUntil: Instant?
  public let predecessors: [Predecessor]

  /// What it was asked to do differently.
  public let arguments: [String: String]

  /// The share of the keys that it is for.
  public let percent: Int

  /// How many it said it would touch, and who let it go on although that was outside its bounds.
  public let planned: Int?
  public let approvedBy: String?

  /// What its parts come to.
  public let done: Int
  public let total: Int?
  public let counters: Counters
  public let error: String?

  /// How long workers had its parts in their hands, of how many they have, and when they began on average;
  /// nothing where an older version worked at some.
  private let worked: Duration?
  private let working: Int
  private let began: Instant?

  /// How many of its parts workers have, and when the last of their leases ends.
  let held: Int
  public let leaseUntil: Instant?

  /// From when on the first of its other parts may be claimed, and how often one of them has failed.
  public let dueFrom: Instant?
  public let failures: Int

  /// The run of the same job whose end it waits for before it begins.
  public let runBefore: Int?

  /// Of a tick that did not run: the row of the tick of the same job before it.
  public let tickBefore: Int?
}

extension RunRecord {
  /// For how long workers have been at it, or were; nothing when it never began, or is held.
  ///
  /// What it waited does not count: for a worker, its next try, an approval. Of parts that ran at once the
  /// times are added up, to no more than went by from its start to its end. Where a clock that is turned by
  /// hand stood still meanwhile there is nothing to tell.
  public func workTime(by now: Instant) -> Duration? {
    guard let startedAt, state != .held else { return nil }
    var time = (finishedAt ?? now) - startedAt
    let current = (began.map { max(.zero, now - $0) } ?? .zero) * working
    if let worked { time = min(time, worked + current) }
    return time > .zero ? time : nil
  }

  init(_ row: Row) throws(PostgresError) {
    id = try row["id"]
    job = try row["job"]
    scheduledFor = try row["scheduled_for"]
    trigger = try row["trigger"]
    (state, fate) = (try row["state"], try row["fate"])
    reason = try row["reason"]
    (ticks, firstTick) = (try row["ticks"], try row["first_tick"])
    (parts, partsLeft) = (try row["parts"], try row["parts_left"])
    (startedAt, finishedAt) = (try row["started_at"], try row["finished_at"])
    version = try row["version"]
    decidedBy = try row["decided_by"]
    (requestKey, waitsUntil) = (try row["request_key"], try row["waits_until"])
    after = try row["after_jobs", as: [JobName]?.self] ?? []
    (afterUntil, predecessors) = (try row["after_until"], try [Predecessor](row))
    arguments = try Self.arguments(row)
    percent = try row["percent"]
    planned = try row["planned"]
    approvedBy = try row["approved_by"]
    (done, total) = (try row["done"], try row["total"])
    counters = try Counters(names: row["counter_names"], values: row["counter_values"])
    error = try row["error"]
    worked = try row["worked", as: Int?.self].map { .microseconds($0) }
    working = try row["working"]
    began = try row["began"]
    held = try row["held"]
    leaseUntil = try row["lease_until"]
    dueFrom = try row["due_from"]
    failures = try row["failures"]
    runBefore = try row["run_before"]
    tickBefore = try row["tick_before"]
  }

  private static func arguments(_ row: Row) throws(PostgresError) -> [String: String] {
    Dictionary(
      zip(
        try row["argument_names", as: [String].self], try row["argument_values", as: [String].self]),
      uniquingKeysWith: { first, _ in first })
  }
}
