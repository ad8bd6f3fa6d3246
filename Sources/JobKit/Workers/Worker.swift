internal import LocalTime
public import Postgres

/// One worker: a connection, and the parts that it claims and runs on it, one after the other.
public struct Worker: ~Copyable {
  private let crew: Crew
  private let clock: LedgerClock
  private var connection: Connection

  public init(of crew: Crew, clock: LedgerClock, on connection: consuming Connection) {
    self.crew = crew
    self.clock = clock
    self.connection = connection
  }

  /// Whether its connection can still be used.
  public var isConnected: Bool { connection.isOpen }

  /// The parts that it and the other workers of its crew hold.
  var holdings: Holdings { crew.holdings }

  /// Claims one due part and runs it to its end; gives nothing when nothing is due.
  ///
  /// With `run` it claims parts of that run only.
  public mutating func work(
    onlyOn run: Int? = nil, hearing listener: (ClaimedPart) -> Void = { _ in }
  ) throws -> (part: ClaimedPart, end: PartOutcome, progress: Progress)? {
    let now = try clock.now(on: connection)
    Failpoint.claimBegun.pass()
    let claimed = try Ledger.claim(
      1, of: Array(crew.jobs.keys), onlyOn: run, for: crew.name, lease: crew.lease, at: now,
      on: connection)
    guard let part = claimed.first, let member = crew.jobs[part.job] else { return nil }
    Failpoint.claimClaimed.pass()
    listener(part)
    let result = self.carryOut(part, as: member)
    return (part, result.end, result.progress)
  }

  private mutating func carryOut(
    _ part: ClaimedPart, as member: Crew.Member
  ) -> (end: PartOutcome, progress: Progress) {
    let (crew, clock) = (self.crew, self.clock)
    let canceller = Canceller()
    connection.canceller = canceller
    let stop = StopSignal(canceller: canceller)
    stop.limit(soft: member.policies.softLimit, hard: member.policies.hardLimit)
    crew.holdings.add(part.fence, stop: stop)
    defer { crew.holdings.remove(part.fence) }
    let runner = PartRunner(job: member.job, policies: member.policies, zones: crew.zones)
    let result = runner.run(part, stop: stop, on: connection) {
      connection throws(PostgresError) in try clock.now(on: connection)
    }
    let (end, progress) = (result.end, result.progress)
    self = Worker(of: crew, clock: clock, on: result.connection)
    return (end, progress)
  }
}
