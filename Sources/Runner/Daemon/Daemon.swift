internal import Dispatch
public import JobKit
public import Ledger
public import LocalTime
public import Postgres
internal import Synchronization

/// The daemon: one loop decides, one keeps leases alive, and a few work.
///
/// They meet only in the ledger.
///
/// Each loop is a queue of its own with a connection of its own, and blocks there and nowhere else. A
/// loop that loses its connection opens another; nothing is lost, because nothing is held in memory.
public final class Daemon: Sendable {
  public let pool: WorkerPool
  public let server: Server
  let clock: LedgerClock
  let log: Log
  let workers: Int

  /// Whether it only keeps the leases of a run by hand.
  let isByHand: Bool
  private let listeners: [any DaemonListener]
  let notifier: Notifier?

  private struct State {
    var jobs: [ScheduledJob] { didSet { awaited = Self.awaited(in: jobs) } }

    /// The jobs that others come after.
    private(set) var awaited: Set<JobName>
    var retention: Retention
    var generation = 0
    var phase = Phase.running
    var isReady = false
    var isToldToEnd = false

    init(jobs: [ScheduledJob], retention: Retention) {
      (self.jobs, awaited, self.retention) = (jobs, Self.awaited(in: jobs), retention)
    }

    private static func awaited(in jobs: [ScheduledJob]) -> Set<JobName> {
      Set(jobs.flatMap(\.after.jobs))
    }
  }

  /// How far the daemon is on its way to the end.
  enum Phase: Int, Comparable {
    case running
    case draining
    case ended

    static func < (one: Phase, other: Phase) -> Bool { one.rawValue < other.rawValue }
  }

  private let state: Mutex<State>
  package let schedulerWakeUp = WakeUp()
  let maintenanceWakeUp = WakeUp()
  let workerAlarms: [WakeUp]
  let loops = DispatchGroup()
  let working = DispatchGroup()

  public init(
    pool: WorkerPool, jobs: [ScheduledJob], workers: Int, server: Server,
    retention: Retention = Retention(), clock: LedgerClock = .database, log: Log = .silent,
    isByHand: Bool = false, heardBy listeners: [any DaemonListener] = [],
    telling notifier: Notifier? = nil
  ) {
    self.pool = pool
    self.server = server
    self.clock = clock
    self.log = log
    self.workers = workers
    self.isByHand = isByHand
    self.listeners = listeners + [notifier].compactMap { $0 }
    self.notifier = notifier
    state = Mutex(State(jobs: jobs, retention: retention))
    workerAlarms = (0..<workers).map { _ in WakeUp() }
  }
}

extension Daemon {
  /// How long a daemon may sleep between two passes when there is nothing to decide.
  public static let longestSleep = Duration.seconds(30)

  var phase: Phase { state.withLock(\.phase) }

  /// Whether the first pass is done.
  var isReady: Bool { state.withLock(\.isReady) }

  var retention: Retention { state.withLock(\.retention) }

  /// The jobs to be scheduled, and a number that grows with every change of them.
  package var schedule: (jobs: [ScheduledJob], generation: Int) {
    state.withLock { ($0.jobs, $0.generation) }
  }

  /// Lets the ticks be looked at that wait for a job of which a run is over: other daemons see it a second later.
  func hearEnd(of job: JobName) {
    if state.withLock({ $0.awaited.contains(job) }) { maintenanceWakeUp.ring() }
  }

  /// Into how many parts the largest runs are cut.
  var mostParts: Int { schedule.jobs.map(\.parts).max() ?? 1 }

  /// Takes on other schedules, policies and code, from the next pass and the next claim on; what is nil
  /// or absent stays as it is.
  public func reschedule(
    _ jobs: [ScheduledJob], code: [any Job] = [], zones: ZoneDatabase? = nil,
    retention: Retention? = nil,
    settingsHash: String? = nil
  ) {
    pool.renew(jobs, code: code, zones: zones, settingsHash: settingsHash)
    state.withLock { state in
      state.jobs = jobs
      state.retention = retention ?? state.retention
      state.generation += 1
    }
    publish(.scheduled(jobs))
    schedulerWakeUp.ring()
  }

  /// Takes on the same jobs by other rules, unless others were taken on since `generation`.
  package func move(_ jobs: [ScheduledJob], since generation: Int) {
    let isNews = state.withLock { state in
      guard state.generation == generation else { return false }
      state.jobs = jobs
      state.generation += 1
      return true
    }
    if isNews { publish(.scheduled(jobs)) }
    schedulerWakeUp.ring()
  }

  func publish(_ event: DaemonEvent) {
    for listener in listeners { listener.handle(event) }
  }

  /// Tells of a pass, and says once that the first is done: from then on nothing that is due is unseen.
  func recordPass(_ pass: Scheduler.Pass, at now: Instant) {
    publish(.passed(pass, at: now))
    let isNews = state.withLock { state in
      defer { state.isReady = true }
      return !state.isReady
    }
    guard isNews else { return }
    log.info("ready")
    wakeWorkers()
    // Whoever waits to hand over to this daemon reads of it in the ledger.
    maintenanceWakeUp.ring()
  }

  /// Tells, once, that somebody asked this daemon to end.
  func hearDrain(by author: String) {
    let isNews = state.withLock { state in
      defer { state.isToldToEnd = true }
      return !state.isToldToEnd
    }
    guard isNews else { return }
    log.info("told to end by \(author)")
    publish(.toldToEnd(by: author))
  }

  /// Wakes every loop but the one that this alarm is for.
  func wakeEveryone(but wakeUp: WakeUp) {
    for other in [schedulerWakeUp, maintenanceWakeUp] + workerAlarms where other !== wakeUp {
      other.ring()
    }
  }

  /// Wakes as many workers as there are parts that may be due; those first that wait for it.
  ///
  /// To wake more would let them stand in each other's way. What a look before has seen serves none of them.
  func wakeWorkers(for parts: Int = .max) {
    if parts > 0 { pool.alsoDue.forget() }
    let (idle, busy) = (workerAlarms.filter(\.isAwaited), workerAlarms.filter { !$0.isAwaited })
    for wakeUp in (idle + busy).prefix(parts) { wakeUp.ring() }
  }
}

extension Daemon {
  /// Ends in good order: nothing new is claimed, and what runs is asked to stop at its next chunk.
  ///
  /// What has not stopped within `budget` is cut off. What not even that stops is left: its lease runs
  /// out when this process is gone. Heartbeats go on until then. Returns when all is over.
  public func drain(within budget: Duration) {
    enter(.draining)
    publish(.draining)
    Failpoint.drainBegun.pass()
    pool.activeParts.ask(.drained)
    schedulerWakeUp.ring()
    maintenanceWakeUp.ring()
    wakeWorkers()
    Failpoint.drainAsked.pass()
    if !working.isOver(within: budget) {
      log.warning("the drain took too long: what still runs is cut off, and goes on elsewhere")
      pool.activeParts.cut(.drained)
      if !working.isOver(within: Self.grace) {
        log.error("a job does not stop: it ends with this process, and goes on elsewhere")
      }
    }
    Failpoint.drainWorked.pass()
    enter(.ended)
    maintenanceWakeUp.ring()
    schedulerWakeUp.ring()
    if !loops.isOver(within: Self.grace) {
      log.warning("the database did not answer at the end: what was left to say is not said")
    }
  }

  private func enter(_ phase: Phase) {
    state.withLock { $0.phase = max($0.phase, phase) }
  }

  /// How long what was cut off may take to notice: longer than a server that hangs is asked to cancel.
  public static let grace = Duration.seconds(5)
}

extension DispatchGroup {
  /// Waits until all in it have left; false when they have not within `limit`.
  fileprivate func isOver(within limit: Duration) -> Bool {
    wait(timeout: .now() + .nanoseconds(Int(limit / .nanoseconds(1)))) == .success
  }
}
