public import LocalTime
public import Postgres

/// A part that is run for show: the same code, in one transaction that is rolled back.
public struct DryRun {
  private let job: any Job
  private let bounds: Bounds
  private let part: ClaimedPart
  private let zones: ZoneDatabase

  public init(
    of member: Crew.Member, part: PartNumber, percent: Int, for moment: Instant,
    arguments: [String: String], zones: ZoneDatabase
  ) {
    job = member.job
    bounds = member.policies.bounds
    self.zones = zones
    self.part = ClaimedPart(
      dryRunOf: job.definition.name, part: part, percent: percent, for: moment,
      arguments: arguments)
  }

  /// What the part would do.
  public enum End: Sendable {
    case succeeded(Outcome)
    case failed(String)
  }

  /// What a dry run has found out.
  public struct Report: Sendable {
    /// How many the whole run would touch, when the job says so.
    public fileprivate(set) var planned: Int?

    /// Why a run in earnest would wait for approval.
    public fileprivate(set) var objection: String?

    public let end: End
    public let progress: Progress
  }

  /// Runs the part on `connection`, and rolls back whatever it did.
  public func run(on connection: consuming Connection) throws(PostgresError) -> Report {
    try connection.run(script: "BEGIN")
    var context = JobContext(
      of: part, isDryRun: true, zones: zones, clock: LedgerClock(showing: part.scheduledFor),
      stop: StopSignal(canceller: Canceller()), on: connection)
    let plan = Result { () throws in try self.plan(in: context) }
    let result = Result { () throws in
      _ = try plan.get()
      return try job.run(&context)
    }
    let progress = context.progress
    try context.release().run(script: "ROLLBACK")
    let found = try? plan.get()
    return Report(
      planned: found?.planned, objection: found?.objection, end: End(result), progress: progress)
  }

  private func plan(
    in context: borrowing JobContext
  ) throws -> (planned: Int, objection: String?)? {
    guard let planned = try job.plan(context) else { return nil }
    let usual = try context.usualPlan(of: job.definition.name, under: bounds)
    return (planned, bounds.objection(to: planned, usual: usual))
  }
}

extension DryRun.End {
  fileprivate init(_ result: Result<Outcome, any Error>) {
    switch result {
    case .success(let outcome): self = .succeeded(outcome)
    case .failure(let error): self = .failed("\(error)")
    }
  }
}

extension ClaimedPart {
  fileprivate init(
    dryRunOf job: JobName, part: PartNumber, percent: Int, for moment: Instant,
    arguments: [String: String]
  ) {
    self.init(
      fence: Fence(run: 0, part: part.number, epoch: 0), job: job, scheduledFor: moment,
      trigger: "manual", parts: part.count, arguments: arguments, percent: percent, planned: nil,
      isApproved: false, attempts: 0, interruptions: 0, standstills: 0, saved: Progress())
  }
}

extension DryRun.Report: CustomStringConvertible {
  public var description: String {
    let words =
      switch end {
      case .succeeded(let outcome): "would succeed: \(outcome.summary)"
      case .failed(let error): "would fail: \(error)"
      }
    return plan + words + progress.counters.inWords
  }

  private var plan: String {
    if let objection { return "would be held, because the run \(objection); approved, it " }
    return planned.map { "the run would touch \($0); " } ?? ""
  }
}

extension Counters {
  fileprivate var inWords: String {
    names.isEmpty
      ? "" : " (" + zip(names, values).map { "\($0) \($1)" }.joined(separator: ", ") + ")"
  }
}
