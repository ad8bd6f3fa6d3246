internal import JobKit
internal import LocalTime
internal import Postgres

/// Whether daemons are alive, of one version and with one set of settings.
struct DaemonsCheck: DatabaseCheck {
  let name = "daemons"
  let why = "two versions or two settings decide by turns: what a job does depends on who is faster"

  func look(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
    let now = try LedgerClock.database.now(on: connection)
    let all = try Ledger.daemons(on: connection).filter { !$0.isByHand }
    let alive = all.filter { $0.isAlive(at: now) }
    var seen: [Observation] = []
    let silent = all.filter { !$0.isAlive(at: now) }
    if !silent.isEmpty {
      seen.append(
        .note(
          "\(silent.map(\.name).joined(separator: ", ")) ended without a word: killed, or cut off",
          do: "see their logs; what they worked at has gone on"))
    }
    if alive.isEmpty {
      return seen + [
        .note("no daemon is alive: nothing is decided or run", do: "start one with 'worker daemon'")
      ]
    }
    let starting = alive.filter { $0.readyAt == nil && now - $0.startedAt > .seconds(60) }
    if !starting.isEmpty {
      seen.append(
        .problem(
          "\(starting.map(\.name).joined(separator: ", ")) has not decided anything for a minute",
          do: "see its log"))
    }
    return (seen + differences(among: alive)).orWell("\(alive.count) alive, of one version")
  }

  private func differences(among alive: [DaemonRecord]) -> [Observation] {
    var seen: [Observation] = []
    let versions = Set(alive.map(\.version)).sorted()
    if versions.count > 1 {
      seen.append(
        .warning(
          "\(versions.count) versions are alive: \(versions.joined(separator: ", "))",
          do: "end the upgrade: 'worker handover' of the version that is to stay"))
    }
    let settings = Set(alive.map(\.settingsHash)).sorted()
    if settings.count > 1 {
      seen.append(
        .warning(
          "daemons have different settings: \(settings.joined(separator: ", "))",
          do: "bring one file to all hosts and reload; 'worker workers' shows who has which"))
    }
    return seen
  }
}
