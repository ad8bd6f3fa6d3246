internal import Config
internal import JobKit
internal import LocalTime
internal import Postgres

extension Command {
  /// Proves that every tick that should have happened has a row.
  static let audit: Command = Command(
    name: "audit",
    summary: "hold the ticks that should have happened against the ledger",
    discussion: """
      Counts, for each job, the ticks of its schedule and what became of them. It ends with 0 when every
      tick is accounted for, and with 1 when one has no row.

      The range begins where the ledger's memory of the job does, if that is later than --from, and ends
      where the job is decided. Ticks are expected by the schedule in force at the time; the ledger
      remembers when each schedule began.
      """,
    options: [.config, .auditFrom, .auditTo, .json] + Option.ofTables,
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
      let opened = try Opened.openLedger(arguments)
      let zone = try opened.loaded.zones.zone(named: opened.settings.time.zone)
      let from = try arguments.instant(.auditFrom, in: zone, at: opened.now, of: .audit)
      let to = try arguments.instant(.auditTo, in: zone, at: opened.now, of: .audit)
      if let from, from >= opened.now {
        throw UsageError(
          .badValue(
            arguments[.auditFrom] ?? "", of: .auditFrom,
            expected: "it lies in the future, where no tick has happened yet"), command: .audit)
      }
      if let from, let to {
        try arguments.check(to, of: .auditTo, isAfter: from, command: .audit)
      }
      let lines = try AuditRange(
        after: from ?? opened.now - .seconds(7 * 86_400), through: to ?? opened.now
      ).lines(opened)
      if arguments.has(.json) {
        try console.print(JSON.array(lines.map(\.json)).pretty)
      } else if lines.isEmpty {
        try console.print("no job was ever scheduled here, so no tick can be missing")
      } else {
        try console.show(table(of: lines), arguments, of: .audit)
      }
      return lines.allSatisfy(\.audit.isComplete) ? .done : .jobFailed
    })

  private static func table(of lines: [AuditLine]) -> Table {
    var table = Table(
      "job", Table.Column("expected", rank: 2), "accounted for", "missing",
      Table.Column("first missing", rank: 1))
    for line in lines {
      let states = line.audit.accounted.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      table.add(
        line.job, "\(line.audit.expected)", states.joined(separator: ", "),
        "\(line.audit.missing.count)", line.audit.missing.first?.description ?? "")
    }
    return table
  }
}

extension Option {
  fileprivate static let auditFrom = value(
    "from", "WHEN", "begin here: \(WrittenInstant.forms); else seven days ago")
  fileprivate static let auditTo = value("to", "WHEN", "end here; else now")
}

/// One job's audit.
private struct AuditLine {
  let job: String
  let audit: Audit

  var json: JSON {
    [
      "job": .string(job), "expected": .integer(audit.expected),
      "accounted": .object(
        audit.accounted.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .integer($0.value)) }),
      "missing": .array(audit.missing.map { .string($0.description) }),
      "foreign": .array(audit.foreign.map { .string($0.description) }),
    ]
  }
}

/// The range that is audited.
private struct AuditRange {
  let start: Instant
  let end: Instant

  init(after start: Instant, through end: Instant) {
    (self.start, self.end) = (start, end)
  }

  /// As many ticks as one call looks at for each job: a month of seconds.
  private static let most = 2_678_400

  func lines(_ opened: borrowing Opened) throws -> [AuditLine] {
    let known = try Ledger.jobs(on: opened.connection)
    var lines: [AuditLine] = []
    for job in opened.settings.jobs {
      guard let record = known.first(where: { $0.name == job.name.text }) else { continue }
      let (start, end) = (max(start, record.knownSince), min(end, record.decidedUntil))
      let ticks = ScheduleHistory(
        try Ledger.schedules(of: job.name, on: opened.connection), present: job.schedule,
        knownSince: record.knownSince, zones: opened.loaded.zones
      ).ticks(after: start, through: end, limit: Self.most)
      let rows = try Ledger.ticks(
        of: job.name, after: start, through: end, on: opened.connection)
      lines.append(AuditLine(job: job.name.text, audit: Audit(expecting: ticks, found: rows)))
    }
    return lines
  }
}
