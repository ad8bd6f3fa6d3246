internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres

/// Whether daemons are alive, of one version and with one set of settings.
struct DaemonsCheck: DatabaseCheck {
  let name = "daemons"

  func check(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
    let now = try LedgerClock.database.now(on: connection)
    let all = try Ledger.daemons(on: connection).filter { !$0.isByHand }
    let alive = all.filter { $0.mayLive(at: now) }
    var seen: [Observation] = []
    let silent = all.filter { !$0.mayLive(at: now) }
    if !silent.isEmpty {
      let rest = alive.isEmpty ? "goes on as soon as a daemon is alive" : "has gone on"
      seen.append(
        .note(
          "\(silent.map(\.name).joined(separator: ", ")) stopped without shutting down: killed, or cut off from the network or the database",
          why: "what it worked at waits until its leases end: that is 15 s, and nothing is lost",
          do: "see their logs; what they worked at \(rest)"))
    }
    if alive.isEmpty { return try seen + [absence(all, on: connection)] }
    seen += alive.compactMap { delay(of: $0, at: now) }
    let starting = alive.filter { $0.readyAt == nil && now - $0.startedAt > .seconds(60) }
    if !starting.isEmpty {
      seen.append(
        .problem(
          "\(starting.map(\.name).joined(separator: ", ")) has not decided anything for a minute",
          why: "it is alive and not ready: as long as no other decides, ticks get no rows",
          do: "see its log"))
    }
    return (seen + differences(among: alive)).orWell("\(alive.count) alive, of one version")
  }

  /// That a daemon may have been killed a moment ago.
  private func delay(of daemon: DaemonRecord, at now: Instant) -> Observation? {
    guard case .overdue(let age) = daemon.life(at: now) else { return nil }
    return .warning(
      "\(daemon.name) was \(DaemonRecord.notSeen(for: age))",
      why: "a daemon shows itself each 15 s: this one may have been killed, or cut off",
      do: "ask again in half a minute: then it counts as dead, or is back; its log tells more")
  }

  /// That nobody is alive, which is no fault of an installation that has not begun.
  private func absence(
    _ all: [DaemonRecord], on connection: borrowing Connection
  ) throws -> Observation {
    let remedy = "start one with 'systemctl start worker' or 'worker daemon'; its log tells more"
    let hasDecided: Bool = try connection.run(
      "SELECT EXISTS (SELECT FROM jobkit.schedule)"
    ).only[0]
    guard !all.isEmpty || hasDecided else {
      return .note(
        "no daemon has been started yet: nothing is decided or run",
        why: "only daemons turn ticks into runs, and work them off", do: remedy)
    }
    return .problem(
      "no daemon is alive: nothing is decided or run",
      why:
        "ticks pass; the first daemon that starts decides them, and misses those it is too late for",
      do: remedy
    ).excused(
      inDemonstration: "script/demo has simulated the day that is in this database",
      do: "'worker daemon' goes on with it from now on")
  }

  private func differences(among alive: [DaemonRecord]) -> [Observation] {
    var seen: [Observation] = []
    let versions = Set(alive.map(\.version)).sorted()
    if versions.count > 1 {
      seen.append(
        .warning(
          "\(versions.count) versions are alive: \(versions.joined(separator: ", "))",
          why: "they decide and work by turns: what a job does depends on who is faster",
          do: "end the upgrade: 'worker handover' of the version to keep"))
    }
    let settings = Set(alive.map(\.settingsHash)).sorted()
    if settings.count > 1 {
      seen.append(
        .warning(
          "daemons have different settings: \(settings.joined(separator: ", "))",
          why: "they decide by turns: when a job runs, and how, depends on who is faster",
          do: "bring one file to all hosts and reload; 'worker daemons' shows who has which"))
    }
    return seen
  }
}
