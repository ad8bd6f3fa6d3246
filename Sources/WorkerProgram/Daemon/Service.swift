internal import Config
internal import Dispatch
internal import Glibc
internal import JobKit
internal import Jobs
internal import Ledger
internal import LocalTime
internal import Postgres
internal import Runner
internal import Settings
internal import Synchronization

/// The daemon as a process: its settings, its signals, its start and its end.
final class Service: Sendable {
  private let file: SettingsFile
  private let daemon: Daemon
  private let log: Log
  private let report: ServiceReport?
  private let notifier: Notifier
  private let loaded: Mutex<LoadedSettings>
  private let monitoring: Monitoring
  private let signals = Signals()

  /// Where settings are read again: a file that lets its reader wait must keep no signal from being heard.
  private let reloads = DispatchQueue(label: "reload")
  private let toldToEnd: Latch

  init(_ arguments: Arguments) throws {
    try FaultInjection.begin(for: .daemon)
    let toldToEnd = Latch()
    self.toldToEnd = toldToEnd
    file = SettingsFile(arguments)
    let loaded = try file.load()
    log = Log.standardError(loaded.settings.log)
    report = ServiceReport.ofThisProcess(loaded.settings.database, warningOn: log)
    let pool = try ProgramJobs.pool(of: loaded)
    monitoring = Monitoring(loaded.settings, of: pool.name, log: log)
    notifier = Notifier(
      ProgramNotifier.notifierSettings(of: loaded, log: log), from: pool.name.text, log: log)
    daemon = Daemon(
      pool: pool, jobs: ProgramJobs.scheduled(loaded),
      workers: loaded.settings.workers,
      server: try loaded.settings.database.server(
        credentials: Environment["CREDENTIALS_DIRECTORY"]),
      retention: loaded.settings.retention, log: log,
      heardBy: [report as (any DaemonListener)?, monitoring.metrics, Ending(toldToEnd: toldToEnd)]
        .compactMap(\.self),
      telling: notifier)
    self.loaded = Mutex(loaded)
  }

  /// Runs until the process is told to end.
  func run(drainingWithin budget: Duration) throws -> ExitCode {
    defer { Journal.ofThisProcess?.settle() }
    hearSignals()
    monitoring.start()
    try awaitLedger()
    daemon.start()
    log.info("started", ["daemon": daemon.pool.name.text, "version": daemon.pool.name.version])
    toldToEnd.wait()
    log.info("draining", ["budget": budget.written])
    report?.drains(within: budget + Daemon.grace * 2)
    daemon.drain(within: budget)
    monitoring.end()
    log.info("ended")
    return .done
  }

  /// Does what ``run(drainingWithin:)`` does before the first of its loops begins, once.
  ///
  /// It also reads the files that a daemon reads when it needs them: one that cannot be read does not keep a daemon
  /// from starting, but from reaching a provider of pushes, or people.
  func check() throws -> ExitCode {
    let settings = loaded.withLock(\.settings)
    if let fault = ProviderRules(settings.rules).authoritiesFault { throw fault }
    try ProgramNotifier.requireAddresses(of: settings.notify)
    try daemon.server.requireFiles()
    try requireLedger()
    try Connection(to: daemon.server).requireWritable()
    return .done
  }

  private func hearSignals() {
    let first = Mutex<Instant?>(nil)
    signals.hear([SIGTERM, SIGINT]) { [toldToEnd, log] _ in
      let now = SystemClock.now()
      let since = first.withLock { first in
        defer { first = first ?? now }
        return first.map { now - $0 }
      }
      guard let since else {
        toldToEnd.happen()
        return
      }
      // A supervisor that tells a process and its group says one thing twice at once.
      guard since > .milliseconds(200) else { return }
      log.warning("told to end for the second time: what runs is left to its lease")
      ProgramExit.end(.interrupted)
    }
    signals.hear([SIGHUP]) { [weak self] _ in
      guard let self else { return }
      reloads.async { @Sendable in self.reload() }
    }
  }

  /// Waits until the database answers and its ledger is the one that this program knows.
  private func awaitLedger() throws {
    while true {
      do {
        return try requireLedger()
      } catch let error as PostgresError {
        guard error.passesByItself else { throw error }
        log.error("\(error); tried again in 2s")
        report?.waits("\(error)")
        if toldToEnd.happens(within: .seconds(2)) { return }
      }
    }
  }

  private func requireLedger() throws {
    let connection = try Connection(to: daemon.server)
    try ProgramSchemas.requireNewest(on: connection)
    try ProgramSchemas.requireDaemon(on: connection)
  }

  /// Reads the settings again, says what changes, and takes it on or refuses it whole.
  private func reload() {
    report?.reloads()
    do {
      let fresh = try file.load()
      let code = try ProgramJobs.code(of: fresh)
      let changes = loaded.withLock { old in
        defer { old = fresh }
        return fresh.settings.changes(since: old.settings)
      }
      for change in changes {
        log.info("settings: \(change)\(change.waitsForStart ? "; from the next start on" : "")")
      }
      log.info(changes.isEmpty ? "settings: nothing has changed" : "settings: taken on")
      notifier.renew(ProgramNotifier.notifierSettings(of: fresh, log: log))
      daemon.reschedule(
        ProgramJobs.scheduled(fresh), code: code, zones: fresh.zones,
        retention: fresh.settings.retention,
        settingsHash: fresh.settings.hash)
      report?.reloaded()
    } catch {
      let facts = (error as? SettingsFile.Refused)?.facts ?? ["\(error)"]
      for line in facts { log.error("settings: \(line)") }
      log.error("settings: refused, the old ones stay in force")
      report?.reloaded(refusal: facts.first)
    }
  }
}

extension PostgresError {
  /// Whether a later try may succeed without anybody's help.
  fileprivate var passesByItself: Bool {
    switch self {
    case .cannotReach, .lost: true
    default: false
    }
  }
}
