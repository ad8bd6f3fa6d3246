public import LocalTime
public import Postgres

/// Decides what is due: one pass writes a row for every tick whose moment has come.
///
/// It holds no truth of its own. The cursor of each job is in the ledger, so a pass may be late, be
/// repeated, or be made by two daemons at once, and every tick still has one row.
public struct Scheduler {
  private let jobs: [ScheduledJob]
  private let daemon: String

  /// When each job fires next after its cursor, as far as it is known: most passes need ask nothing.
  private var nextFirings: [JobName: Instant?] = [:]

  public init(_ jobs: [ScheduledJob], daemon: String) {
    self.jobs = jobs
    self.daemon = daemon
  }

  /// What a pass came to.
  public struct Pass {
    /// What was decided, by job.
    public fileprivate(set) var decided: [(job: JobName, ticks: [Tick])] = []

    /// The jobs that could not be decided, and why; they do not stop the others.
    public fileprivate(set) var failures: [(job: JobName, error: any Error)] = []

    /// The next moment at which something is due.
    public fileprivate(set) var nextFiring: Instant?
  }

  /// Makes the jobs known to the ledger, and learns from it how far each is decided.
  public mutating func start(
    at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    try Ledger.enter(jobs.map(\.name), at: now, on: connection)
    let cursors = try Ledger.cursors(of: jobs.map(\.name), on: connection)
    for job in jobs {
      nextFirings[job.name] = cursors[job.name].map { job.schedule.next(after: $0) }
    }
  }

  /// Decides every tick up to `now` of every job.
  public mutating func pass(
    at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> Pass {
    var pass = Pass()
    for job in jobs {
      do {
        let ticks = try decide(job, at: now, on: connection)
        if !ticks.isEmpty { pass.decided.append((job.name, ticks)) }
      } catch let error as PostgresError where error.needsNewConnection {
        throw error
      } catch {
        pass.failures.append((job.name, error))
      }
    }
    pass.nextFiring = nextFirings.values.compactMap(\.self).min()
    return pass
  }

  private mutating func decide(
    _ job: ScheduledJob, at now: Instant, on connection: borrowing Connection
  ) throws -> [Tick] {
    var decided: [Tick] = []
    while let next = nextFirings[job.name] ?? nil, next <= now {
      let (ticks, cursor) = try decideSome(of: job, at: now, on: connection)
      decided += ticks
      nextFirings[job.name] = job.schedule.next(after: cursor)
    }
    return decided
  }

  /// As many ticks as one transaction takes.
  private static let most = 10_000

  private func decideSome(
    of job: ScheduledJob, at now: Instant, on connection: borrowing Connection
  ) throws -> (ticks: [Tick], cursor: Instant) {
    try connection.transaction { connection in
      guard let standing = try Ledger.standing(of: job.name, on: connection) else {
        throw SchedulerError.unknownJob(job.name)
      }
      let moments = job.schedule.firings(
        after: standing.decidedUntil, through: now, limit: Self.most)
      guard let last = moments.last,
        let newest = job.schedule.previous(before: now + .microseconds(1))
      else { return ([], standing.decidedUntil) }
      let decision = Decision(
        of: moments, newest: newest, now: now, isEnabled: job.isEnabled, standing: standing,
        under: job.policies)
      if decision.cancelsOthers {
        try Ledger.askToCancel(job.name, by: "overlap of \(job.name)", at: now, on: connection)
      }
      try Ledger.write(decision, of: job, by: daemon, at: now, on: connection)
      return (decision.ticks, last)
    }
  }
}

/// Why a job cannot be decided.
public enum SchedulerError: Error, Equatable {
  case unknownJob(JobName)
}

extension SchedulerError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownJob(let name):
      "the ledger has no row for the job '\(name)': somebody deleted it; the next start enters it anew"
    }
  }
}
