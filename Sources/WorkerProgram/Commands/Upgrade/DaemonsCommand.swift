internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime

extension Command {
  /// Shows the daemons.
  static let daemons: Command = Command(
    name: "daemons",
    summary: "show the daemons of every host: version, since when, how far each is",
    discussion: """
      One line for each daemon that has not ended in good order. 'ready' has decided all that was due;
      'draining' begins nothing new; 'not seen for 34 s' is late to show itself, as one that was killed;
      'silent' was not seen for 45 s, and what it worked at goes on elsewhere. Of a daemon of the host on
      which it is asked it says at once when the process is gone.
      """,
    options: [.config, .json] + Option.ofTimes,
    examples: [
      (
        "worker daemons",
        "which versions are alive, and where"
      )
    ],
    run: { arguments, console in
      let session = try LedgerSession.openLedger(arguments)
      let daemons = try Ledger.daemons(on: session.connection)
      if arguments.has(.json) {
        try console.print(JSON.array(daemons.map { $0.json(at: session.now) }).pretty)
      } else if daemons.isEmpty {
        try console.print("no daemon is alive")
      } else {
        let times = try session.times(arguments, of: [])
        try console.show(table(of: daemons, times), arguments, of: .daemons)
      }
      return .done
    })

  static func table(of daemons: [DaemonRecord], _ times: Times) -> Table {
    var table = Table(
      "daemon", Table.Column("version", rank: 1), Table.Column("settings", rank: 4),
      times.column("since", rank: 2), times.column("seen", rank: 3),
      Table.Column("jobs", rank: 5), "state")
    for daemon in daemons {
      table.add(
        daemon.name, daemon.version, daemon.settingsHash, times.text(daemon.startedAt),
        times.text(daemon.seenAt), "\(daemon.jobs.count)", daemon.state(at: times.now))
    }
    return table
  }
}

extension DaemonRecord {
  /// What it is doing, in a word or two.
  func state(at now: Instant) -> String {
    switch life(at: now) {
    case .alive: break
    case .overdue(let age): return Self.notSeen(for: age)
    case .gone: return "dead: its process \(process) is gone"
    case .silent(let age): return "silent: \(Self.notSeen(for: age))"
    }
    if isByHand { return "manual run" }
    if let drainAskedBy {
      return (isDraining ? "draining" : "asked to drain") + ", for \(drainAskedBy)"
    }
    return isDraining ? "draining" : readyAt == nil ? "starting" : "ready"
  }

  func json(at now: Instant) -> JSON {
    [
      "name": .string(name), "host": .string(host), "process": .integer(process),
      "version": .string(version), "settings_hash": .string(settingsHash),
      "jobs": .array(jobs.map { .string($0) }), "started_at": .string(startedAt.description),
      "seen_at": .string(seenAt.description), "ready_at": JSON(readyAt?.description),
      "alive": .boolean(mayLive(at: now)), "draining": .boolean(isDraining),
      "by_hand": .boolean(isByHand), "drain_asked_by": JSON(drainAskedBy),
    ]
  }
}
