internal import Config
internal import Dispatch
internal import JobKit
internal import Ledger
internal import Runner
internal import Settings
internal import Synchronization
internal import Web

/// What a daemon shows over HTTP: health for probes, metrics for Prometheus.
///
/// It lives on a thread of its own, whose turn comes after those that decide and work.
final class Monitoring: Sendable {
  let metrics: Metrics
  private let settings: HttpSettings
  private let log: Log
  private let daemon: DaemonID
  private let queue = DispatchQueue(label: "http")

  /// Whether the address is this daemon's: another's must not be taken away at the end.
  private let isOurs = Mutex(false)

  /// When a caller that was sent away was last logged.
  private let lastRefusal = Mutex<ContinuousClock.Instant?>(nil)

  init(_ settings: Settings, of daemon: DaemonID, log: Log) {
    let database = settings.database
    // The longest that a loop may wait for the database before it says so and tries again.
    let limit = database.connectTimeout + database.statementTimeout + .seconds(60)
    metrics = Metrics(
      limit: limit, version: Build.version, commit: Build.commit, compiler: Build.swift)
    (self.settings, self.daemon, self.log) = (settings.http, daemon, log)
  }

  /// Begins to answer, where the settings want that; returns at once.
  func start() {
    guard let address = settings.listen else { return }
    // Asked before there is a socket: callers are better refused than left without an answer.
    guard HttpServer.isThere else {
      log.error(
        "cannot answer over HTTP: libmicrohttpd is missing (the package libmicrohttpd12); the daemon"
          + " works without it")
      return
    }
    _ = ProcessFigures.startedAt
    queue.async { @Sendable [self] in
      LowPriority.take()
      let socket = socket(on: address)
      isOurs.withLock { $0 = true }
      log.info("answers over HTTP", ["address": "\(address)"])
      HttpServer(
        settings, answering: answer, telling: { [metrics] in metrics.answered($0) },
        refusing: refused
      ).run(on: socket)
      log.error("cannot answer over HTTP: the server does not start; the daemon works without it")
    }
  }

  /// Leaves nothing behind.
  func end() {
    guard case .unix(let path) = settings.listen, isOurs.withLock(\.self) else { return }
    LocalSocket.remove(path)
  }

  /// A socket at the address, once it is free: during an upgrade the daemon before has it.
  private func socket(on address: HttpAddress) -> Int32 {
    var said = ""
    while true {
      do throws(LocalSocket.Failure) {
        return try LocalSocket.listening(on: address)
      } catch {
        if "\(error)" != said {
          log.warning(
            "cannot answer over HTTP at \(address): \(error); tried again each \(Self.patience)s")
        }
        said = "\(error)"
        LowPriority.rest(milliseconds: Self.patience * 1000)
      }
    }
  }

  private static let patience: Int32 = 5

  /// Counts a caller that was sent away.
  ///
  /// One in ten minutes is logged, so that nobody fills the log from outside.
  private func refused(_ caller: NetworkAddress) {
    metrics.refused()
    let isLogged = lastRefusal.withLock { last in
      guard last.map({ $0.duration(to: .now) >= .seconds(600) }) ?? true else { return false }
      last = .now
      return true
    }
    guard isLogged else { return }
    log.warning(
      "closed a connection from \(caller), which 'http.allow' does not name; for 10m others are"
        + " counted, and not logged")
  }
}

extension Monitoring {
  private func answer(to path: String, wantsText: Bool) -> HttpAnswer {
    switch path {
    case "/livez": answer(about: .live, wantsText)
    case "/readyz": answer(about: .ready, wantsText)
    case "/health/schedule": answer(about: .schedule, wantsText)
    case "/metrics":
      HttpAnswer(
        type: "text/plain; version=0.0.4; charset=utf-8",
        body: metrics.metrics {
          ProcessFigures.add(to: &$0)
          PushProviders.snapshot().add(to: &$0)
        })
    case PushSnapshot.path where LearningApp.isOn: answer(with: PushProviders.snapshot(), wantsText)
    default:
      HttpAnswer(
        status: 404,
        body: "there are /livez, /readyz, /health/schedule"
          + LearningApp.whenOn(", \(PushSnapshot.path)") + " and /metrics here\n")
    }
  }

  private func answer(with snapshot: PushSnapshot, _ wantsText: Bool) -> HttpAnswer {
    if wantsText { return HttpAnswer(body: snapshot.text) }
    return HttpAnswer(
      type: "application/json", body: snapshot.json(at: SystemClock.now()).compact + "\n")
  }

  private func answer(about aspect: HealthReport.Aspect, _ wantsText: Bool) -> HttpAnswer {
    let report = metrics.report(on: aspect)
    let status = report.isHealthy ? 200 : 503
    if wantsText { return HttpAnswer(status: status, body: report.text) }
    // Once its ledger knows it: whoever asks can tell it from the daemon of another database.
    let name = metrics.isInLedger ? daemon.text : nil
    return HttpAnswer(
      status: status, type: "application/json", body: report.json(of: name).compact + "\n")
  }
}
