internal import Ledger
internal import Synchronization

/// What a daemon shows to probes and to Prometheus: it listens, keeps figures, and answers at once.
///
/// Nobody who asks gets near the database or near a loop: a question copies what was heard last.
public final class Vitals: DaemonListener {
  private let state: Mutex<VitalSigns>
  private let uptime: @Sendable () -> Duration

  /// How long a loop may take from one turn to the next.
  private let limit: Duration

  public init(
    limit: Duration, version: String, commit: String, compiler: String,
    uptime: @escaping @Sendable () -> Duration = Vitals.uptime
  ) {
    self.limit = limit
    self.uptime = uptime
    var signs = VitalSigns()
    signs.figures.set(.build, version, commit, compiler, to: 1)
    for loop in ["heart", "scheduler", "worker"] {
      signs.figures.add(0, to: .connectionFailures, loop)
    }
    state = Mutex(signs)
  }

  /// How long the machine has been awake.
  public static let uptime: @Sendable () -> Duration = {
    let start = SuspendingClock.now
    return { SuspendingClock.now - start }
  }()

  public func hear(_ event: DaemonEvent) {
    let time = uptime()
    state.withLock { $0.hear(event, at: time) }
  }

  /// Counts a request that was answered with this status.
  public func answered(_ status: Int) {
    state.withLock { $0.figures.add(to: .requests, "\(status)") }
  }
}

extension Vitals {
  private var signs: VitalSigns { state.withLock(\.self) }

  /// Whether something is well, as far as this daemon has heard.
  public func report(on aspect: HealthReport.Aspect) -> HealthReport {
    let (signs, time) = (signs, uptime())
    return switch aspect {
    case .live: HealthReport(.live, asOf: signs.now(at: time), live(signs, at: time))
    case .ready: HealthReport(.ready, asOf: signs.now(at: time), ready(signs))
    case .schedule:
      HealthReport(.schedule, asOf: signs.survey?.now, schedule(signs, at: time))
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
  private func live(_ signs: VitalSigns, at time: Duration) -> [HealthProblem] {
    signs.turns.sorted { $0.key < $1.key }.compactMap { loop, turned in
      guard time - turned > limit else { return nil }
      return .loopStands(loop: loop, since: time - turned, limit: limit)
    }
  }

  private func ready(_ signs: VitalSigns) -> [HealthProblem] {
    if signs.isDraining { return [.draining] }
    if !signs.isReady { return [.notReadyYet] }
    return signs.isConnected ? [] : [.databaseAway]
  }

  private func schedule(_ signs: VitalSigns, at time: Duration) -> [HealthProblem] {
    guard let survey = signs.survey, let now = signs.judged(at: time) else {
      return [.unsurveyed(since: nil)]
    }
    let problems = survey.problems(of: signs.jobs, at: now).filter { problem in
      if case .unentered = problem { signs.knowsEveryJob } else { true }
    }
    let age = time - signs.surveyedAt
    return (age > Self.oldestSurvey ? [.unsurveyed(since: age)] : []) + problems
  }

  private static let oldestSurvey = Duration.seconds(60)
}
