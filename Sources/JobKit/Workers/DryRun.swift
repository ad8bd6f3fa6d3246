public import LocalTime
public import Postgres

/// A part that is run for show: the same code, in one transaction that is rolled back.
public struct DryRun {
  private let job: any Job
  private let part: ClaimedPart
  private let zones: ZoneDatabase

  public init(
    of job: any Job, part: PartNumber, for moment: Instant, arguments: [String: String],
    zones: ZoneDatabase
  ) {
    self.job = job
    self.part = ClaimedPart(
      dryRunOf: job.definition.name, part: part, for: moment, arguments: arguments)
    self.zones = zones
  }

  /// What the part would do.
  public enum End: Sendable {
    case succeeded(Outcome, Progress)
    case failed(String, Progress)
  }

  /// Runs the part on `connection`, and rolls back whatever it did.
  public func run(on connection: consuming Connection) throws(PostgresError) -> End {
    try connection.run(script: "BEGIN")
    var context = JobContext(
      of: part, isDryRun: true, zones: zones, stop: StopSignal(canceller: Canceller()),
      on: connection)
    let result = Result { () throws in try job.run(&context) }
    let progress = context.progress
    try context.release().run(script: "ROLLBACK")
    return switch result {
    case .success(let outcome): .succeeded(outcome, progress)
    case .failure(let error): .failed("\(error)", progress)
    }
  }
}

extension ClaimedPart {
  fileprivate init(
    dryRunOf job: JobName, part: PartNumber, for moment: Instant, arguments: [String: String]
  ) {
    self.init(
      fence: Fence(run: 0, part: part.number, epoch: 0), job: job, scheduledFor: moment,
      trigger: "manual", parts: part.count, arguments: arguments, attempts: 0, interruptions: 0,
      saved: Progress())
  }
}

extension DryRun.End: CustomStringConvertible {
  public var description: String {
    switch self {
    case .succeeded(let outcome, let progress):
      "would succeed: \(outcome.summary)\(progress.counters.inWords)"
    case .failed(let error, let progress): "would fail: \(error)\(progress.counters.inWords)"
    }
  }
}

extension Counters {
  fileprivate var inWords: String {
    names.isEmpty
      ? "" : " (" + zip(names, values).map { "\($0) \($1)" }.joined(separator: ", ") + ")"
  }
}

extension PartOutcome: CustomStringConvertible {
  public var description: String {
    switch self {
    case .succeeded(let outcome): "succeeded: \(outcome.summary)"
    case .cancelled: "cancelled"
    case .failed(let error): "failed: \(error)"
    case .toBeTriedAgain(let error, let wait): "failed: \(error); due again in \(wait.written)"
    case .handedOver: "handed over"
    case .lost(let why): why
    case .unwritten(let end, let error): "\(end), which could not be written: \(error)"
    }
  }
}
