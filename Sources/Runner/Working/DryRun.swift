public import JobKit
internal import Ledger
public import LocalTime
public import Postgres

/// A part that is run for show: the same code, in one transaction that is rolled back.
public struct DryRun {
  private let job: any Job
  private let bounds: Bounds
  private let part: ClaimedPart
  private let zones: ZoneDatabase

  public init(
    of member: WorkerPool.Member, part: PartNumber, percent: Int, for tick: Instant,
    arguments: [String: String], zones: ZoneDatabase
  ) {
    job = member.job
    bounds = member.policies.bounds
    self.zones = zones
    self.part = ClaimedPart(
      dryRunOf: job.definition.name, part: part, percent: percent, for: tick,
      arguments: arguments)
  }

  /// Runs the part on `connection`, and rolls back whatever it did; throws when the server did that before.
  public func run(on connection: consuming Connection) throws(PostgresError) -> Report {
    connection.keepNoPlans()
    try connection.beginForShow()
    let before = try TableChanges.sinceBegin(on: connection)
    var context = JobContext(
      of: part, isDryRun: true, zones: zones, clock: LedgerClock(showing: part.scheduledFor),
      stop: StopSignal(), on: connection)
    let plan = Result { () throws in try self.plan(in: context) }
    let result = Result { () throws in
      _ = try plan.get()
      return try job.run(&context)
    }
    let progress = context.progress
    let used = context.release()
    // A transaction that has failed answers nothing; what it would have changed is nothing, too.
    let changes = (try? TableChanges.sinceBegin(on: used)) ?? before
    try used.run(script: "ROLLBACK")
    let found = try? plan.get()
    return Report(
      planned: found?.planned, objection: found?.objection, end: End(result, of: used),
      progress: progress, changes: changes.list(since: before))
  }

  private func plan(
    in context: borrowing JobContext
  ) throws -> (planned: Int, objection: String?)? {
    guard let planned = try job.plan(context) else { return nil }
    let usual = try context.usualPlan(of: job.definition.name, under: bounds)
    let objection =
      try bounds.objection(to: planned, usual: usual)
      ?? job.objection(to: planned, context)
    return (planned, objection)
  }
}

extension DryRun.End {
  /// Who holds a lock is asked now: in the transaction that waited for it nothing could be asked any more.
  fileprivate init(_ result: Result<Outcome, any Error>, of connection: borrowing Connection) {
    switch result {
    case .success(let outcome): self = .succeeded(outcome)
    case .failure(let error):
      self = .failed(connection.namingHolder(in: error).wordsOfPart.asErrorOfAPart)
    }
  }
}

extension ClaimedPart {
  fileprivate init(
    dryRunOf job: JobName, part: PartNumber, percent: Int, for tick: Instant,
    arguments: [String: String]
  ) {
    self.init(
      fence: Fence(run: 0, part: part.number, epoch: 0), daemon: "", job: job,
      scheduledFor: tick, trigger: .manual, parts: part.count, arguments: arguments,
      percent: percent, planned: nil, isApproved: false, failures: 0, workerLosses: 0,
      lossesWithoutProgress: 0, saved: Progress())
  }
}

extension DryRun {
  /// What the part would do.
  public enum End: Sendable {
    case succeeded(Outcome)
    case failed(String)
  }

  /// What a dry run has found out.
  public struct Report: Sendable {
    /// How many the whole run would touch, when the job says so.
    public let planned: Int?

    /// Why a run in earnest would wait for approval.
    public let objection: String?

    public let end: End
    public let progress: Progress

    /// What would be different in which tables.
    public let changes: [TableChange]
  }
}

extension DryRun.Report: CustomStringConvertible {
  /// The report in a sentence, then a line for each table that would change, and for each example.
  public var description: String {
    let tables = changes.map { "would \($0)" }
    return ([plan + words + counted] + tables + progress.examples).joined(separator: "\n  ")
  }

  private var plan: String {
    if let objection { return "would be held, because the run \(objection); approved, it " }
    return planned.map { "the run would touch \($0); " } ?? ""
  }

  private var words: String {
    switch end {
    case .succeeded(let outcome): "would succeed: \(outcome.summary)"
    case .failed(let error): "would fail: \(error)"
    }
  }

  private var counted: String {
    progress.counters.names.isEmpty ? "" : " (\(progress.counters.text))"
  }
}
