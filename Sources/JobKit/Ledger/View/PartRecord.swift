public import LocalTime
internal import Postgres

/// One part of a run as the ledger tells of it.
public struct PartRecord: Sendable, Equatable {
  public let run: Int
  public let number: Int
  public let job: String
  public let state: String
  public let epoch: Int
  public let worker: String?
  public let leaseUntil: Instant?
  public let notBefore: Instant
  public let attempts: Int
  public let interruptions: Int
  public let startedAt: Instant?
  public let finishedAt: Instant?
  public let progress: Progress
  public let error: String?
}

extension PartRecord {
  init(_ row: Row) throws(PostgresError) {
    run = try row["run"]
    number = try row["number"]
    job = try row["job"]
    state = try row["state"]
    epoch = try row["epoch"]
    worker = try row["worker"]
    leaseUntil = try row["lease_until"]
    notBefore = try row["not_before"]
    attempts = try row["attempts"]
    interruptions = try row["interruptions"]
    startedAt = try row["started_at"]
    finishedAt = try row["finished_at"]
    progress = Progress(
      cursor: try row["cursor"], done: try row["done"], total: try row["total"],
      counters: Counters(names: try row["counter_names"], values: try row["counter_values"]))
    error = try row["error"]
  }
}
