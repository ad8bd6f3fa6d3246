internal import Config
internal import Dispatch
internal import JobKit
internal import LocalTime
internal import Runner
internal import Settings
internal import Synchronization

/// Tells the supervisor of this process what its daemon lives through.
///
/// It is ready when the first pass is complete, and alive whenever another is, or the loop that makes them has
/// found the database away: each of its waits is bounded, so it turns, and to restart it would bring nothing
/// back. Everything is said on a queue of its own, so that a supervisor that hangs holds nothing up.
final class ServiceReport: DaemonListener {
  private struct State {
    var status = ServiceStatus()
    var isReady = false
    var isToBeShown = false
  }

  private let supervisor: Supervisor
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "supervisor")

  /// How often a drain asks for more time.
  private let pace: DispatchTimeInterval

  init(to supervisor: Supervisor, askingForTimeEvery pace: DispatchTimeInterval = .seconds(5)) {
    self.supervisor = supervisor
    self.pace = pace
  }

  /// The report to the supervisor of this process, if it has one; a watch that would kill an idle daemon is
  /// warned of, and one that would kill a daemon whose database lets it wait is told to be more patient.
  static func ofThisProcess(_ database: DatabaseSettings, warningOn log: Log) -> ServiceReport? {
    guard let supervisor = Supervisor(Environment.ofSupervisor, process: Host.process) else {
      return nil
    }
    if let patience = supervisor.patience, patience <= Daemon.longestSleep {
      log.warning(
        "the supervisor's watchdog (\(patience.written)) ends a daemon that is idle, which gives a sign of"
          + " life every \(Daemon.longestSleep.written): write WatchdogSec=90s into its unit")
    }
    let report = ServiceReport(to: supervisor)
    report.begin(with: database)
    return report
  }

  /// Has a watch that bears an idle daemon bear one that waits for its database, too.
  func begin(with database: DatabaseSettings) {
    guard let patience = supervisor.patience, patience > Daemon.longestSleep else { return }
    let silence =
      Daemon.longestSleep * 2 + max(database.connectTimeout, database.statementTimeout)
    guard patience < silence else { return }
    queue.async { @Sendable [self] in supervisor.tell([.patience(silence)]) }
  }

  func handle(_ event: DaemonEvent) {
    queue.async { @Sendable [self] in
      state.withLock { $0.status.take(event) }
      switch event {
      case .passed: beAlive()
      case .lostConnection(loop: "scheduler") where state.withLock(\.isReady): beAlive()
      case .maintained, .scheduled, .tookSnapshot: break
      default: showSoon()
      }
    }
  }

  private func beAlive() {
    let isNews = state.withLock { state in
      defer { state.isReady = true }
      return !state.isReady
    }
    let signs: [Supervisor.News] = supervisor.patience == nil ? [] : [.alive]
    tell(signs + (isNews ? [.ready] : []))
  }

  /// Says something, and how the service is.
  private func tell(_ news: [Supervisor.News]) {
    let status = state.withLock { state in
      state.isToBeShown = false
      return state.status.text
    }
    supervisor.tell(news + [.status(status)])
  }

  /// Says within a second how the service is: with hundreds of parts a second, nobody could read each.
  private func showSoon() {
    let isFirst = state.withLock { state in
      defer { state.isToBeShown = true }
      return !state.isToBeShown
    }
    guard isFirst else { return }
    queue.asyncAfter(deadline: .now() + .seconds(1)) { @Sendable [self] in
      if state.withLock(\.isToBeShown) { tell([]) }
    }
  }
}

extension ServiceReport {
  /// The service cannot begin yet: the database fails it so.
  func waits(_ failure: String) {
    queue.async { @Sendable [self] in
      state.withLock { $0.status.wait(failure) }
      tell([])
    }
  }

  /// The settings are about to be read again.
  func reloads() {
    queue.async { @Sendable [self] in
      if state.withLock(\.isReady) { tell([.reloading]) }
    }
  }

  /// They have been: taken on, or refused with this reason.
  func reloaded(refusal: String? = nil) {
    queue.async { @Sendable [self] in
      state.withLock { $0.status.refusal = refusal }
      // Who has not been ready yet is not made so by settings.
      tell(state.withLock(\.isReady) ? [.ready] : [])
    }
  }

  /// The service ends, and takes so long for it at most.
  func drains(within limit: Duration) {
    let end = ContinuousClock.now + limit
    queue.async { @Sendable [self] in
      state.withLock { $0.status.drain() }
      tell([.stopping, .moreTime(Self.extension)])
      askForTime(until: end)
    }
  }

  /// Asks again and again, so that a drain may take longer than the unit of the service knows, and so that
  /// one that hangs is not waited for any longer than it said.
  private func askForTime(until end: ContinuousClock.Instant) {
    queue.asyncAfter(deadline: .now() + pace) { @Sendable [self] in
      guard ContinuousClock.now < end else { return }
      tell([.moreTime(Self.extension)])
      askForTime(until: end)
    }
  }

  /// For how long it asks at once.
  private static let `extension` = Duration.seconds(15)
}
