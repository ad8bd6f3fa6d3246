internal import JobKit
internal import Jobs
internal import Ledger
internal import LocalTime
internal import Postgres
internal import Settings

/// What the worker did in a period, and what came of it for learners, beside the period before.
struct Report {
  let period: ReportPeriod
  let zone: Zone
  let jobs: [Comparison<JobActivity>]
  let learners: [Comparison<LearnerReport>]

  let outages: ReportedOutages

  /// Whether a daemon has ever scheduled a job here.
  let hasSchedule: Bool

  /// Why there is nothing to compare with; nothing where the ledger remembers all of the period before.
  let incomparable: Incomparable?

  enum Incomparable {
    /// No job was scheduled before.
    case young(since: Instant)

    /// The period before is longer ago than successes are kept.
    case forgotten(after: Duration)
  }

  /// Something now, and the same in the period before, where that is remembered.
  struct Comparison<Value> {
    let now: Value
    let before: Value?
  }

  /// Asks the ledger and the learning tables; changes nothing.
  static func make(of period: ReportPeriod, from session: borrowing LedgerSession) throws -> Report
  {
    let settings = session.settings
    let incomparable = try incomparable(with: period.before, session)
    let now = try activity(in: period.range, session)
    let before = try incomparable == nil ? activity(in: period.before, session) : nil
    let jobs = settings.jobs.map(\.name).filter { now[$0] != nil || before?[$0] != nil }
    let learners = try ProgramJobs.reporters(session.loaded).map { reporter in
      Comparison(
        now: try reporter.report(
          on: period.range, counted: counted(for: reporter, in: now), at: session.now,
          session.connection),
        before: try before.map { before in
          try reporter.report(
            on: period.before, counted: counted(for: reporter, in: before),
            at: period.range.lowerBound, session.connection)
        })
    }
    let snapshot = try Ledger.healthSnapshot(at: session.now, on: session.connection)
    return Report(
      period: period, zone: try session.loaded.zones.zone(named: settings.time.zone),
      jobs: jobs.map { job in
        Comparison(
          now: now[job] ?? JobActivity(nothingOf: job),
          before: before.map { $0[job] ?? JobActivity(nothingOf: job) })
      }, learners: learners, outages: try ReportedOutages(in: period.range, snapshot, session),
      hasSchedule: snapshot.jobs.contains(where: \.isScheduled), incomparable: incomparable)
  }

  private static func incomparable(
    with before: Range<Instant>, _ session: borrowing LedgerSession
  ) throws -> Incomparable? {
    let known = try Ledger.jobs(on: session.connection).map(\.knownSince).min()
    if let known, known >= before.upperBound { return .young(since: known) }
    let kept = session.settings.retention.succeeded
    return before.lowerBound < session.now - kept ? .forgotten(after: kept) : nil
  }

  /// What was counted of what a job reports, by whichever job.
  private static func counted(
    for reporter: any Reporter, in activity: [JobName: JobActivity]
  ) -> Counters {
    var counted = Counters()
    for job in reporter.countedBy { counted.add(activity[job]?.counters ?? Counters()) }
    return counted
  }

  private static func activity(
    in range: Range<Instant>, _ session: borrowing LedgerSession
  ) throws(PostgresError) -> [JobName: JobActivity] {
    try Ledger.activity(
      from: range.lowerBound, to: range.upperBound,
      by: Dictionary(uniqueKeysWithValues: session.settings.jobs.map { ($0.name, $0.schedule) }),
      on: session.connection)
  }
}
