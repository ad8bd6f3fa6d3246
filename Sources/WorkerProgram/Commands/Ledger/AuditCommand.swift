internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres
internal import Settings

extension Command {
  /// Proves that every tick that should have happened has a row.
  static let audit: Command = Command(
    name: "audit",
    summary: "check that every tick of the schedules is in the ledger",
    discussion: """
      Counts, for each job, the ticks of its schedule up to now and what became of them. It ends with 0 when
      every tick is accounted for, and with 1 when one has no row: it was deleted, or no daemon has decided
      it. While a daemon is alive, the ticks of the last half minute may wait for its next pass.

      The range begins where the ledger's memory of the job does, if that is later than --from. Ticks are
      expected by the schedule in force at the time; the ledger remembers when each schedule began. A job
      of which it knows no schedule is not judged, and the column 'why' says so: one that is enabled and
      that no daemon has entered, as after its row was deleted, counts as not accounted for.

      Times are those of the jobs' zone, with its offset in the heading; where jobs have several, of the zone
      of the settings. --utc shows UTC. JSON always has UTC.
      """,
    options: [.config, .auditFrom, .auditTo, .json] + Option.ofTimes,
    examples: [
      (
        "worker audit",
        "the last seven days"
      ),
      (
        "worker audit --from 2026-03-01 --json",
        "since the first of March, for machines"
      ),
    ],
    run: { arguments, console in
      let session = try LedgerSession.openLedger(arguments)
      let zone = try session.loaded.zones.zone(named: session.settings.time.zone)
      let from = try arguments.instant(.auditFrom, in: zone, at: session.now, of: .audit)
      let to = try arguments.instant(.auditTo, in: zone, at: session.now, of: .audit)
      if let from, from >= session.now {
        throw UsageError(
          .badValue(
            arguments[.auditFrom] ?? "", of: .auditFrom,
            expected: "it lies in the future, where no tick has happened yet"), command: .audit)
      }
      if let from, let to {
        try arguments.check(to, of: .auditTo, isAfter: from, command: .audit)
      }
      let lines = try AuditRange(
        after: from ?? session.now - .seconds(7 * 86_400), through: to ?? session.now
      ).lines(session)
      if arguments.has(.json) {
        try console.print(JSON.array(lines.map(\.json)).pretty)
      } else if lines.isEmpty {
        try console.say(
          "no daemon has ever scheduled a job here, so there is no tick that could be missing",
          arguments)
      } else {
        let times = try session.times(arguments, of: session.settings.jobs)
        try console.show(table(of: lines, times), arguments, of: .audit)
        if let outage = AuditLine.outage(lines, times) { try console.say(outage, arguments) }
      }
      return lines.allSatisfy(\.isComplete) ? .done : .jobFailed
    })

  private static func table(of lines: [AuditLine], _ times: Times) -> Table {
    var table = Table(
      "job", Table.Column("expected", rank: 3), Table.Column("accounted for", rank: 1), "missing",
      times.column("first missing", rank: 2), "why")
    for line in lines {
      let states = line.audit.accounted.map { ($0.key.rawValue, $0.value) }.sorted { $0.0 < $1.0 }
        .map { "\($0.1) \($0.0)" }
      table.add(
        line.job, "\(line.audit.expected)", states.joined(separator: ", "),
        "\(line.audit.missing.count)", line.audit.missing.first.map(times.clock) ?? "",
        line.why(times.clock))
    }
    return table
  }
}

extension Option {
  fileprivate static let auditFrom = value(
    "from", "WHEN", "begin here: \(WrittenInstant.forms); else seven days ago")
  fileprivate static let auditTo = value("to", "WHEN", "end here; else now")
}
