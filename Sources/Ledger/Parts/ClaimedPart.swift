public import JobKit
public import LocalTime
import Postgres

/// A part of a run, in the hands of one worker.
public struct ClaimedPart: Sendable {
  public let fence: Fence

  /// The process that it was given to, as the ledger names it.
  let daemon: String
  public let job: JobName
  public let scheduledFor: Instant
  public let trigger: RunTrigger

  /// How many parts the run has.
  public let parts: Int

  /// What the run was asked to do differently.
  public let arguments: [String: String]

  /// The share of the keys that the run is for.
  public let percent: Int

  /// How many the run said it would touch; nothing before it was asked.
  package let planned: Int?

  /// Whether somebody let it go on all the same.
  package let isApproved: Bool

  public let failures: Int
  public let workerLosses: Int

  /// How often it lost its worker since it last came further.
  package let lossesWithoutProgress: Int

  /// How often a worker has begun with it, this one included: the epoch grows when a worker is lost, too.
  package private(set) var attempt = 1

  /// What an earlier worker has left: where to go on, and what was done.
  public let saved: Progress

  /// The jobs of the parts that could be claimed, this one among them, the most urgent first.
  package private(set) var alsoDue: [JobName] = []

  /// Whether another run of its job is due, which may have to wait for the end of this one.
  package private(set) var hasRunBehind = false

  package init(
    fence: Fence, daemon: String, job: JobName, scheduledFor: Instant, trigger: RunTrigger,
    parts: Int, arguments: [String: String], percent: Int, planned: Int?, isApproved: Bool,
    failures: Int, workerLosses: Int, lossesWithoutProgress: Int, saved: Progress
  ) {
    self.fence = fence
    self.daemon = daemon
    self.job = job
    self.scheduledFor = scheduledFor
    self.trigger = trigger
    self.parts = parts
    self.arguments = arguments
    self.percent = percent
    self.planned = planned
    self.isApproved = isApproved
    self.failures = failures
    self.workerLosses = workerLosses
    self.lossesWithoutProgress = lossesWithoutProgress
    self.saved = saved
  }
}

extension ClaimedPart {
  /// What the ledger has to say of it before anything has been saved.
  package var claim: Claim { Claim(fence: fence, daemon: daemon, saved: saved) }

  init(_ row: Row) throws(PostgresError) {
    fence = Fence(run: try row["run"], part: try row["number"], epoch: try row["epoch"])
    daemon = try row["daemon"]
    job = try row["job"]
    scheduledFor = try row["scheduled_for"]
    trigger = try row["trigger"]
    parts = try row["parts"]
    percent = try row["percent"]
    planned = try row["planned"]
    isApproved = try row["is_approved"]
    arguments = Dictionary(
      zip(
        try row["argument_names", as: [String].self], try row["argument_values", as: [String].self]),
      uniquingKeysWith: { first, _ in first })
    failures = try row["failures"]
    workerLosses = try row["worker_losses"]
    lossesWithoutProgress = try row["losses_without_progress"]
    attempt = try row["attempt"]
    saved = Progress(
      cursor: try row["cursor"], done: try row["done"], total: try row["total"],
      counters: try Counters(names: row["counter_names"], values: row["counter_values"]))
    alsoDue = try row["also_due"]
    hasRunBehind = try row["has_run_behind"]
  }
}
