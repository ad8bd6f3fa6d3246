internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime
internal import Runner
internal import Settings

/// The times of a period in which nothing was decided and nothing began.
struct ReportedOutages {
  /// Those that are over, the oldest first, each whole.
  let ended: [OutageRecord]

  /// The one that goes on.
  let lasting: Lasting?

  /// Since when the ledger knows what was missed.
  let knownSince: Instant

  /// A time of which nobody knows the end.
  struct Lasting {
    /// Nothing in a ledger that does not know when a daemon was there.
    let start: Instant?

    /// How many ticks have come that nobody has decided.
    let undecided: Int

    /// Whether a daemon is alive, and decides nothing all the same.
    let hasDaemon: Bool
  }

  /// Asks the ledger for those that `range` has a share of.
  init(
    in range: Range<Instant>, _ snapshot: HealthSnapshot, _ session: borrowing LedgerSession
  ) throws {
    let jobs = session.settings.jobs
    ended = try Ledger.outages(
      from: range.lowerBound, to: range.upperBound, at: session.now,
      by: Dictionary(uniqueKeysWithValues: jobs.map { ($0.name, $0.schedule) }),
      on: session.connection)
    let lasting = Lasting(
      snapshot,
      snapshot.diagnoses(
        of: ProgramJobs.scheduled(session.loaded).filter(\.isEnabled), at: session.now))
    self.lasting =
      lasting.flatMap { $0.start ?? range.lowerBound < range.upperBound ? $0 : nil }
    knownSince = session.now - session.settings.retention.neverRan
  }
}

extension ReportedOutages.Lasting {
  /// While a daemon is alive, only what is not decided for longer than its job may be late.
  fileprivate init?(_ snapshot: HealthSnapshot, _ diagnoses: [JobDiagnosis]) {
    hasDaemon = snapshot.daemons > 0
    let open = diagnoses.filter { snapshot.daemons == 0 || $0.isBehind }.compactMap(\.undecided)
    undecided = open.reduce(0) { $0 + $1.count }
    start = hasDaemon ? open.map(\.first).min() : snapshot.lastSeen
    if open.isEmpty { return nil }
  }
}

extension JobDiagnosis {
  fileprivate var isBehind: Bool {
    undecided?.reason == .late
      && problems.contains { if case .undecided = $0 { true } else { false } }
  }
}

extension ReportedOutages {
  /// A sentence for each, with instants as `write` writes them.
  func sentences(_ write: (Instant) -> String) -> [String] {
    ended.map { sentence(on: $0, write) } + (lasting.map { [$0.sentence(write)] } ?? [])
  }

  private func sentence(on outage: OutageRecord, _ write: (Instant) -> String) -> String {
    let (start, end) = (write(outage.range.lowerBound), write(outage.range.upperBound))
    let time =
      outage.hadDaemon
      ? "Nothing was decided between \(start) and \(end), though the worker was there"
      : "The worker was down from \(start) to \(end)"
    let back =
      outage.interrupted >= .seconds(1)
      ? ", but for \(RelativeTime.text(outage.interrupted))" : ""
    return "\(time)\(back): \(consequence(of: outage))."
  }

  private func consequence(of outage: OutageRecord) -> String {
    switch missed(in: outage) {
    case nil: "what was missed is forgotten ('retention.never_ran')"
    case 0?: "no run was missed"
    case 1?: "1 run was missed"
    case let missed?: "\(missed.counted("run")) were missed"
    }
  }

  private func missed(in outage: OutageRecord) -> Int? {
    outage.range.upperBound < knownSince ? nil : outage.missed
  }

  var json: [JSON.Member] {
    let list = ended.map { outage -> JSON in
      [
        "begin": .string(outage.range.lowerBound.description),
        "end": .string(outage.range.upperBound.description),
        "seconds": .integer(Int(outage.length.components.seconds)),
        "missed": missed(in: outage).map { .integer($0) } ?? nil,
        "had_daemon": .boolean(outage.hadDaemon),
      ]
    }
    return [.init("outages", .array(list)), .init("lasting_outage", lasting?.json ?? nil)]
  }
}

extension ReportedOutages.Lasting {
  fileprivate func sentence(_ write: (Instant) -> String) -> String {
    let since = start.map { " since \(write($0))" } ?? ""
    let runs = undecided.counted("run")
    let are = undecided == 1 ? "is" : "are"
    return hasDaemon
      ? "Nothing was decided of \(runs) that came due\(since), though the worker is there."
      : "The worker has been down\(since): no job runs, and \(runs) that came due \(are) missing."
  }

  fileprivate var json: JSON {
    [
      "begin": JSON(start?.description), "undecided": .integer(undecided),
      "had_daemon": .boolean(hasDaemon),
    ]
  }
}
