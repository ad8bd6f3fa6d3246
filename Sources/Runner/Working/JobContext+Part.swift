internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres

extension JobContext {
  /// What a job works with that has a part in its hands, for good or for show.
  init(
    of part: ClaimedPart, isDryRun: Bool, zones: ZoneDatabase, clock: LedgerClock,
    stop: StopSignal, on connection: consuming Connection
  ) {
    self.init(
      for: part.scheduledFor,
      part: PartNumber(number: part.fence.part, count: part.parts), percent: part.percent,
      arguments: part.arguments, progress: part.saved, keptIn: isDryRun ? nil : part.claim,
      zones: zones, clock: clock, stop: stop,
      memory: LedgerMemory(of: part.job, run: isDryRun ? nil : part.fence.run), on: connection)
    attempt = isDryRun ? nil : part.attempt
  }

  /// What is usual for the job, where its bounds ask for it.
  func usualPlan(of job: JobName, under bounds: Bounds) throws(PostgresError) -> Int? {
    guard bounds.timesUsual != nil else { return nil }
    return try ask { connection throws(PostgresError) in
      try Ledger.usualPlan(of: job, on: connection)
    }
  }

  /// Whether a part of the run has written anything.
  func runHasEffects() throws(PostgresError) -> Bool {
    guard let fence else { return false }
    return try ask { connection throws(PostgresError) in
      try Ledger.hasEffects(fence.run, on: connection)
    }
  }

  /// Writes how many the run is about to touch.
  func save(plan planned: Int) throws(PostgresError) {
    guard let fence else { return }
    try ask { connection throws(PostgresError) in
      try Ledger.record(plan: planned, of: fence, on: connection)
    }
  }
}
