internal import JobKit
internal import LocalTime

extension Command {
  /// Shows the daemons.
  static let workers: Command = Command(
    name: "workers",
    summary: "show the daemons of every host: version, since when, how far each is",
    discussion: """
      One line for each daemon that has not ended in good order. 'ready' has decided all that was due;
      'draining' begins nothing new; 'silent' was not seen for a minute, and what it worked at goes on
      elsewhere.
      """,
    options: [.config, .json],
    examples: [
      (
        "worker workers",
        "which versions are alive, and where"
      )
    ],
    run: { arguments, console in
      let opened = try Opened.openLedger(arguments)
      let daemons = try Ledger.daemons(on: opened.connection)
      if arguments.has(.json) {
        try console.print(JSON.array(daemons.map { $0.json(at: opened.now) }).pretty)
      } else if daemons.isEmpty {
        try console.print("no daemon is alive")
      } else {
        try console.print(table(of: daemons, at: opened.now).text(in: console.style))
      }
      return .done
    })

  private static func table(of daemons: [DaemonRecord], at now: Instant) -> Table {
    var table = Table("worker", "version", "settings", "since", "seen", "jobs", "state")
    for daemon in daemons {
      table.add(
        daemon.name, daemon.version, daemon.settingsHash, Moment.text(daemon.startedAt, at: now),
        Moment.text(daemon.seenAt, at: now), "\(daemon.jobs.count)", daemon.state(at: now))
    }
    return table
  }
}

extension DaemonRecord {
  /// What it is doing, in a word or two.
  func state(at now: Instant) -> String {
    guard isAlive(at: now) else { return "silent" }
    if isByHand { return "run by hand" }
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
      "alive": .boolean(isAlive(at: now)), "draining": .boolean(isDraining),
      "by_hand": .boolean(isByHand), "drain_asked_by": JSON(drainAskedBy),
    ]
  }
}
