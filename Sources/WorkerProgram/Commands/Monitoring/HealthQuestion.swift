internal import JobKit
internal import Ledger
internal import Runner
internal import Settings

/// Asks the daemon, or else the database, how all is.
struct HealthQuestion {
  private let arguments: Arguments
  private let aspects: [HealthReport.Aspect]
  private let place: HealthPlace

  init(_ arguments: Arguments, about aspects: [HealthReport.Aspect]) throws {
    (self.arguments, self.aspects) = (arguments, aspects)
    place = try HealthPlace(arguments)
  }

  /// The aspects that `--only` leaves, which are all when it is not written.
  static func aspects(_ text: String?) throws(UsageError) -> [HealthReport.Aspect] {
    guard let text else { return HealthReport.Aspect.allCases }
    guard let aspect = HealthReport.Aspect(rawValue: text) else {
      throw UsageError(
        .badValue(text, of: .only, expected: "write live, ready or schedule"), command: .health)
    }
    return [aspect]
  }

  func answer() -> HealthAnswer {
    guard let address = place.address else {
      let ledger = LedgerHealth(arguments)
      let findings = aspects.map(ledger.finding)
      return HealthAnswer(source: "database", findings: findings, warnings: place.warnings)
    }
    var findings = aspects.map { finding(on: $0, from: address) }
    var warnings = place.warnings
    if warnings.isEmpty {
      warnings += DaemonOfLedger.check(&findings, from: address, arguments)
    }
    return HealthAnswer(source: "\(address)", findings: findings, warnings: warnings)
  }
}

extension HealthQuestion {
  /// What the daemon at an address says; of the schedule the database knows as much.
  private func finding(
    on aspect: HealthReport.Aspect, from address: HttpAddress
  ) -> HealthAnswer.Finding {
    do throws(HttpProbe.Silence) {
      let text = try HttpProbe.get(aspect.path, from: address, as: "text/plain")
      let json = try HttpProbe.get(aspect.path, from: address, as: "application/json")
      guard [200, 503].contains(text.status), json.body.hasPrefix("{") else {
        throw HttpProbe.Silence(reason: "what answers there is no worker")
      }
      return HealthAnswer.Finding(
        aspect: aspect, isHealthy: text.status == 200, text: text.body,
        json: String(json.body.prefix { $0 != "\n" }), daemon: DaemonOfLedger.name(in: json.body))
    } catch {
      if aspect == .schedule {
        return LedgerHealth(arguments).finding(on: aspect)
      }
      let problem = HealthProblem.silent(address: "\(address)", reason: error.reason)
      return HealthAnswer.Finding(HealthReport(aspect, [problem]))
    }
  }
}

/// What the database knows of how all is, asked once; that it does not answer is an answer too.
private struct LedgerHealth {
  private let found: Result<Facts, any Error>

  private struct Facts {
    let snapshot: HealthSnapshot
    let jobs: [ScheduledJob]

    /// Whether every daemon has ended or died: a process of this host that is gone is dead at once.
    let isDeserted: Bool
    let times: Times
  }

  init(_ arguments: Arguments) {
    found = Result {
      let session = try LedgerSession.openLedger(arguments)
      let snapshot = try Ledger.healthSnapshot(at: session.now, on: session.connection)
      return Facts(
        snapshot: snapshot, jobs: ProgramJobs.scheduled(session.loaded),
        isDeserted: try session.isDeserted(at: snapshot.now),
        times: try session.times(arguments, of: session.settings.jobs))
    }
  }

  func finding(on aspect: HealthReport.Aspect) -> HealthAnswer.Finding {
    switch found {
    case .success(let facts):
      HealthAnswer.Finding(
        HealthReport(aspect, asOf: facts.snapshot.now, Self.problems(facts, on: aspect)),
        facts.times.alone)
    case .failure(let error):
      HealthAnswer.Finding(HealthReport(aspect, [.unasked(reason: "\(error)")]))
    }
  }

  private static func problems(
    _ facts: Facts, on aspect: HealthReport.Aspect
  ) -> [HealthProblem] {
    let snapshot = facts.snapshot
    if facts.isDeserted { return [.noDaemon(since: snapshot.lastSeen)] }
    return switch aspect {
    case .live: snapshot.daemons > 0 ? [] : [.noDaemon(since: snapshot.lastSeen)]
    case .ready where snapshot.daemons == 0: [.noDaemon(since: snapshot.lastSeen)]
    case .ready where snapshot.daemons == snapshot.draining: [.draining]
    case .ready: snapshot.ready > 0 ? [] : [.notReadyYet]
    case .schedule: snapshot.problems(of: facts.jobs, at: snapshot.now)
    }
  }
}

extension HealthReport.Aspect {
  /// Where a daemon answers for it.
  fileprivate var path: String {
    switch self {
    case .live: "/livez"
    case .ready: "/readyz"
    case .schedule: "/health/schedule"
    }
  }
}
