internal import JobKit
internal import Jobs
internal import LocalTime
internal import Postgres

/// What the worker did in a period, and what came of it for learners, beside the period before.
struct Report {
  let period: ReportPeriod
  let zone: Zone
  let jobs: [Comparison<JobActivity>]
  let learners: [Comparison<LearnerReport>]

  /// Whether the ledger remembers all of the period before.
  let isComparable: Bool

  /// Something now, and the same in the period before, where that is remembered.
  struct Comparison<Value> {
    let now: Value
    let before: Value?
  }

  /// Asks the ledger and the learning tables; changes nothing.
  static func make(of period: ReportPeriod, from opened: borrowing Opened) throws -> Report {
    let settings = opened.settings
    let remembered = opened.now - settings.retention.succeeded
    let isComparable = period.before.lowerBound >= remembered
    let now = try activity(in: period.range, on: opened.connection)
    let before = try isComparable ? activity(in: period.before, on: opened.connection) : nil
    let jobs = settings.jobs.map(\.name.text).filter { now[$0] != nil || before?[$0] != nil }
    let learners = try ProgramJobs.reporters(opened.loaded).map { reporter in
      Comparison(
        now: try reporter.report(
          on: period.range, counted: counted(for: reporter, in: now), at: opened.now,
          opened.connection),
        before: try before.map { before in
          try reporter.report(
            on: period.before, counted: counted(for: reporter, in: before),
            at: period.range.lowerBound, opened.connection)
        })
    }
    return Report(
      period: period, zone: try opened.loaded.zones.zone(named: settings.time.zone),
      jobs: jobs.map { job in
        Comparison(
          now: now[job] ?? JobActivity(nothingOf: job),
          before: before.map { $0[job] ?? JobActivity(nothingOf: job) })
      }, learners: learners, isComparable: isComparable)
  }

  /// What was counted of what a job reports, by whichever job.
  private static func counted(
    for reporter: any Reporter, in activity: [String: JobActivity]
  ) -> Counters {
    var counted = Counters()
    for job in reporter.countedBy { counted.add(activity[job.text]?.counters ?? Counters()) }
    return counted
  }

  private static func activity(
    in range: Range<Instant>, on connection: borrowing Connection
  ) throws(PostgresError) -> [String: JobActivity] {
    try Ledger.activity(from: range.lowerBound, to: range.upperBound, on: connection)
  }
}
