public import JobKit
public import LocalTime
internal import Postgres

/// One part of a run as the ledger tells of it.
public struct PartRecord: Sendable, Equatable {
  public let run: Int
  public let number: Int
  public let job: JobName
  public let state: PartState
  public let epoch: Int

  /// The daemon that works at it, or did last; nothing where that was an older version's to say.
  public let daemon: String?
  public let leaseUntil: Instant?
  public let notBefore: Instant

  /// How often it failed, and how often its worker was lost.
  public let failures: Int
  public let workerLosses: Int
  private let tries: Int
  public let startedAt: Instant?
  public let finishedAt: Instant?

  /// When the worker that has it began, and how long workers had it before.
  private let beganAt: Instant?
  private let worked: Duration
  public let progress: Progress
  public let error: String?
}

extension PartRecord {
  /// How often a worker began with it.
  ///
  /// What older versions began is not counted, but for what came of it.
  public var attempts: Int {
    max(tries, failures + workerLosses + (state == .running || state == .succeeded ? 1 : 0))
  }

  /// The host and the process of the daemon that works at it, or did last.
  public var origin: (host: String, process: Int)? {
    let words = daemon?.split(separator: ":", omittingEmptySubsequences: false) ?? []
    guard words.count >= 3, let process = Int(words[words.count - 2]) else { return nil }
    return (words.dropLast(2).joined(separator: ":"), process)
  }

  /// How long workers have had it in their hands by `now`; what it waited for a worker or its next try does
  /// not count.
  ///
  /// Of a part that older versions worked at it is not known: it is the time since its first start.
  public func workTime(by now: Instant) -> Duration? {
    guard tries > 0 else { return startedAt.map { (finishedAt ?? now) - $0 } }
    return worked + (beganAt.map { max(.zero, now - $0) } ?? .zero)
  }

  init(_ row: Row) throws(PostgresError) {
    run = try row["run"]
    number = try row["number"]
    job = try row["job"]
    state = try row["state"]
    epoch = try row["epoch"]
    daemon = try row["known_daemon"]
    leaseUntil = try row["lease_until"]
    notBefore = try row["not_before"]
    failures = try row["failures"]
    tries = try row["tries"]
    beganAt = try row["began_at"]
    worked = .microseconds(try row["worked", as: Int.self])
    workerLosses = try row["worker_losses"]
    startedAt = try row["started_at"]
    finishedAt = try row["finished_at"]
    progress = Progress(
      cursor: try row["cursor"], done: try row["done"], total: try row["total"],
      counters: Counters(names: try row["counter_names"], values: try row["counter_values"]))
    error = try row["error"]
  }
}
