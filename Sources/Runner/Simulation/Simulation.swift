public import JobKit
public import Ledger
public import LocalTime
public import Postgres

/// The real scheduler, ledger and worker on a clock that is turned by hand: a year in a minute.
///
/// One thread does in turn what the loops of a daemon do at once, so the same jobs come to the same
/// rows each time. The clock goes from one moment at which something happens to the next, and stands
/// still while a job works: a run takes no time.
public struct Simulation: ~Copyable {
  private let jobs: [JobName: ScheduledJob]
  private let daemon: String
  private let clock: LedgerClock
  private let connection: Connection
  private var worker: Worker
  private var scheduler: Scheduler
  private var maintenance: SimulatedMaintenance
  private var world: (any SimulatedWorld)?

  /// What was still waiting when the last step was over.
  private var waiting = Ledger.Waiting()

  /// Whether the clock has been set since, so that what waited may be too late now.
  private var wasSet = false

  /// What happened on the day that the clock shows, so far.
  private var day: Day

  /// Makes `jobs` known to the ledger behind `server` and sets the clock to `start`.
  ///
  /// Without a retention nothing is forgotten, and the ledger tells of the whole time. At each moment
  /// the world goes on first, so that a job sees whatever reached the database by then.
  public static func start(
    _ jobs: [ScheduledJob], pool: WorkerPool, at start: Instant, retention: Retention? = nil,
    in world: (any SimulatedWorld)? = nil, on server: Server
  ) throws -> Simulation {
    let clock = LedgerClock(showing: start)
    let daemon = pool.name.text
    let connection = try Connection(to: server)
    let worker = Worker(of: pool, clock: clock, on: try Connection(to: server))
    var scheduler = Scheduler(jobs, daemon: daemon)
    try scheduler.start(at: start, on: connection)
    return Simulation(
      jobs: Dictionary(jobs.map { ($0.name, $0) }) { first, _ in first }, daemon: daemon,
      clock: clock, connection: connection, worker: worker,
      scheduler: scheduler,
      maintenance: SimulatedMaintenance(for: pool, retention: retention), world: world,
      day: Day(of: start))
  }

  /// One day in UTC, and what happened on it.
  public struct Day: Sendable, Equatable {
    public let date: CivilDate

    /// How many rows were written for ticks.
    public fileprivate(set) var ticks = 0

    /// How many parts were worked at.
    public fileprivate(set) var parts = 0

    fileprivate init(of instant: Instant) {
      date = Zone.utc.localDay(of: instant)
    }
  }
}

extension Simulation {
  /// What the clock shows.
  public var now: Instant {
    get throws { try clock.now(on: connection) }
  }

  /// Lets everything happen that is due up to `end`, and then shows `end`.
  ///
  /// `listener` hears of each day when it is over, and `watcher` of each moment when all that was due by then is
  /// done. Between two moments `goesOn` is asked; when it
  /// says no, the clock stays where it is.
  public mutating func run(
    through end: Instant, while goesOn: () -> Bool = { true },
    watching watcher: (Instant) -> Void = { _ in },
    hearing listener: (Day) throws -> Void = { _ in }
  ) throws {
    while goesOn() {
      let next = try step()
      watcher(try now)
      guard let next, next <= end else {
        try turn(to: end, hearing: listener)
        return
      }
      try turn(to: next, hearing: listener)
    }
  }

  /// Sets the clock, forwards or backwards; the daemon finds it so at its next look.
  public mutating func setClock(to instant: Instant) {
    clock.turn(to: instant)
    wasSet = true
    day = Day(of: instant)
  }

  /// Leaves the daemon down until `instant`, and starts another in its place.
  public mutating func restart(at instant: Instant) throws {
    setClock(to: instant)
    scheduler = Scheduler(Array(jobs.values), daemon: daemon)
    try scheduler.start(at: instant, on: connection)
  }

  /// Holds a job still from now on.
  public mutating func pause(_ job: JobName, by author: String, because reason: String) throws {
    let pause = Pause(since: try now, author: author, reason: reason)
    _ = try Ledger.pause(job, pause, on: connection)
  }

  /// Lets a job go on that was paused.
  public mutating func resume(_ job: JobName) throws {
    _ = try Ledger.resume(job, at: now, on: connection)
  }
}

extension Simulation {
  /// Decides, tidies up and works until nothing is due; returns the next moment at which something is.
  private mutating func step() throws -> Instant? {
    let now = try now
    try world?.goOn(until: now, on: connection)
    let pass = try scheduler.pass(at: now, on: connection)
    if let (job, error) = pass.failures.first {
      throw SimulationError.undecided(job, "\(error)")
    }
    day.ticks += pass.decided.map(\.ticks.count).reduce(0, +)
    let mayBeLate =
      waiting.count > 0 && (wasSet || waiting.due > 0 || !pass.decided.isEmpty)
    try maintenance.pass(at: now, repairs: mayBeLate, on: connection)
    wasSet = false
    try workOff(pass, at: now)
    let ends = hasChains ? try Ledger.nextEndOfWait(on: connection) : nil
    return [pass.nextTick, waiting.next, ends].compactMap(\.self).min()
  }

  /// Whether ticks may wait for other jobs.
  private var hasChains: Bool { jobs.values.contains { !$0.after.jobs.isEmpty } }

  /// Works until nothing is due, or all that is waits for another run.
  ///
  /// Mostly it is what the pass has made due and nothing else: then nobody need look what waits.
  private mutating func workOff(_ pass: Scheduler.Pass, at now: Instant) throws {
    let fresh = pass.decided.flatMap { job, ticks in
      ticks.filter { $0.fate == .due }.compactMap { _ in jobs[job] }
    }
    guard !hasChains else { return try workOffChains(at: now) }
    guard !fresh.isEmpty || waiting.count > 0 else { return }
    if !waiting.isDue(at: now), fresh.allSatisfy({ $0.delay == .zero }),
      try work(at: fresh.map(\.parts).reduce(0, +))
    {
      return
    }
    repeat {
      waiting = try Ledger.waiting(at: now, on: connection)
    } while try waiting.due > 0 && !workOnce().isEmpty
  }

  /// The same where ticks wait for other jobs: each success may let others begin.
  private mutating func workOffChains(at now: Instant) throws {
    repeat {
      repeat {
        waiting = try Ledger.waiting(at: now, on: connection)
      } while try waiting.due > 0 && !workOnce().isEmpty
    } while try maintenance.decideWaiting(of: Array(jobs.values), at: now, on: connection)
  }

  /// Works at so many parts; whether there were so many, and each is over for good.
  private mutating func work(at parts: Int) throws -> Bool {
    var done = 0
    while done < parts {
      let ends = try workOnce()
      guard !ends.isEmpty, ends.allSatisfy(\.isFinal) else { return false }
      done += ends.count
    }
    return true
  }

  private mutating func workOnce() throws -> [PartOutcome] {
    let executions = try worker.work()
    day.parts += executions.count
    for execution in executions {
      switch execution.end {
      case .lost(let why): throw SimulationError.broken(execution.part.job, why)
      case .unwritten: throw SimulationError.broken(execution.part.job, "\(execution.end)")
      case .succeeded, .cancelled, .failed, .retry, .held, .released: continue
      }
    }
    return executions.map(\.end)
  }

  private mutating func turn(to instant: Instant, hearing listener: (Day) throws -> Void) throws {
    let next = Day(of: instant)
    clock.turn(to: instant)
    guard next.date != day.date else { return }
    let over = day
    day = next
    try listener(over)
  }
}

extension PartOutcome {
  fileprivate var isFinal: Bool {
    switch self {
    case .succeeded, .cancelled, .failed: true
    case .retry, .held, .released, .lost, .unwritten: false
    }
  }
}
