internal import Ledger
internal import Synchronization

/// What a daemon shows to probes and to Prometheus: it listens, keeps figures, and answers at once.
///
/// Nobody who asks gets near the database or near a loop: a question copies what was heard last.
public final class Metrics: DaemonListener {
  private let state: Mutex<MetricsState>
  private let uptime: @Sendable () -> Duration

  /// How long a loop may take from one turn to the next.
  private let limit: Duration

  public init(
    limit: Duration, version: String, commit: String, compiler: String,
    uptime: @escaping @Sendable () -> Duration = Metrics.uptime
  ) {
    self.limit = limit
    self.uptime = uptime
    var signs = MetricsState()
    signs.figures.set(.build, version, commit, compiler, to: 1)
    for loop in ["maintenance", "scheduler", "worker"] {
      signs.figures.add(0, to: .connectionFailures, loop)
    }
    signs.figures.add(0, to: .refusedCallers)
    state = Mutex(signs)
  }

  /// How long the machine has been awake.
  public static let uptime: @Sendable () -> Duration = {
    let start = SuspendingClock.now
    return { SuspendingClock.now - start }
  }()

  public func handle(_ event: DaemonEvent) {
    let time = uptime()
    state.withLock { $0.handle(event, at: time) }
  }

  /// Whether the ledger knows this daemon: it has shown itself there.
  public var isInLedger: Bool { signs.snapshot != nil }

  /// Counts a request that was answered with this status.
  public func answered(_ status: Int) {
    state.withLock { $0.figures.add(to: .requests, "\(status)") }
  }

  /// Counts a connection that was closed because of the address that it came from.
  public func refused() {
    state.withLock { $0.figures.add(to: .refusedCallers) }
  }
}

extension Metrics {
  private var signs: MetricsState { state.withLock(\.self) }

  /// Whether something is well, as far as this daemon has heard.
  public func report(on aspect: HealthReport.Aspect) -> HealthReport {
    let (signs, time) = (signs, uptime())
    return switch aspect {
    case .live: HealthReport(.live, asOf: signs.now(at: time), live(signs, at: time))
    case .ready: HealthReport(.ready, asOf: signs.now(at: time), ready(signs))
    case .schedule:
      HealthReport(.schedule, asOf: signs.snapshot?.now, schedule(signs, at: time))
    }
  }

  /// All figures as Prometheus reads them, with those that the caller adds.
  public func metrics(with more: (inout MetricStore) -> Void = { _ in }) -> String {
    let (signs, time) = (signs, uptime())
    var figures = signs.figuresOfJobs(at: time)
    figures.set(.ready, to: signs.isReady && !signs.isDraining ? 1 : 0)
    figures.set(.draining, to: signs.isDraining ? 1 : 0)
    figures.set(.connected, to: signs.isConnected ? 1 : 0)
    more(&figures)
    return figures.text
  }

  /// A loop that waits for the database turns too: to restart the daemon would not help.
  private func live(_ signs: MetricsState, at time: Duration) -> [HealthProblem] {
    signs.turns.sorted { $0.key < $1.key }.compactMap { loop, turned in
      guard time - turned > limit else { return nil }
      return .loopStands(loop: loop, since: time - turned, limit: limit)
    }
  }

  private func ready(_ signs: MetricsState) -> [HealthProblem] {
    if signs.isDraining { return [.draining] }
    if !signs.isReady { return [.notReadyYet] }
    return signs.isConnected ? [] : [.databaseAway]
  }

  private func schedule(_ signs: MetricsState, at time: Duration) -> [HealthProblem] {
    guard let snapshot = signs.snapshot, let now = signs.judged(at: time) else {
      return [.noSnapshot(since: nil)]
    }
    let problems = snapshot.problems(of: signs.jobs, at: now).filter { problem in
      if case .unentered = problem { signs.knowsEveryJob } else { true }
    }
    let age = time - signs.snapshotAt
    return (age > Self.oldestSnapshot ? [.noSnapshot(since: age)] : []) + problems
  }

  private static let oldestSnapshot = Duration.seconds(60)
}
