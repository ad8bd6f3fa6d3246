internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres
internal import Runner
internal import Settings

/// One job's audit.
struct AuditLine {
  let job: String
  let audit: Audit

  /// How many of the missing ticks nobody has decided yet, and why.
  var undecided = 0
  var reason: JobDiagnosis.Undecided.Reason?

  /// Why nothing was expected of it.
  var unjudged: Unjudged?

  /// What keeps an audit from expecting any tick of a job.
  enum Unjudged: Equatable {
    case noRow
    case unreadable
    case knownSince(Instant)
  }

  /// Whether every tick is accounted for; a job of which the ledger knows no schedule is not.
  var isComplete: Bool {
    switch unjudged {
    case .noRow, .unreadable: false
    case .knownSince, nil: audit.isComplete
    }
  }

  /// Why ticks are missing, or not even expected, in a few words, with instants as `write` writes them.
  func why(_ write: (Instant) -> String = \.description) -> String {
    let deleted = audit.missing.count - undecided
    let words = [
      unjudged?.words(write),
      deleted > 0 ? "\(deleted) decided, but without a row" : nil,
      undecided > 0 ? reason.map { "not decided yet: \($0.words(write))" } : nil,
    ]
    return words.compactMap(\.self).joined(separator: "; ")
  }

  var json: JSON {
    [
      "job": .string(job), "expected": .integer(audit.expected),
      "accounted": .object(
        audit.accounted.map { JSON.Member($0.key.rawValue, .integer($0.value)) }
          .sorted { $0.name < $1.name }),
      "missing": .array(audit.missing.map { .string($0.description) }),
      "undecided": .integer(undecided), "judged": .boolean(unjudged == nil),
      "why": JSON(why().isEmpty ? nil : why()),
      "foreign": .array(audit.foreign.map { .string($0.description) }),
    ]
  }

  /// What is not decided yet, of all jobs in one sentence.
  static func outage(_ lines: [AuditLine], _ times: Times) -> String? {
    let open = lines.filter { $0.undecided > 0 }
    guard let first = open.compactMap(\.audit.missing.first).min() else { return nil }
    let reasons = open.compactMap { $0.reason?.words(times.alone) }
    let words = Set(reasons).sorted().joined(separator: "; ")
    let count = open.reduce(0) { $0 + $1.undecided }
    return JobDiagnosis.Undecided.sentence(count, since: times.alone(first), words)
  }
}

extension AuditLine.Unjudged {
  fileprivate func words(_ write: (Instant) -> String) -> String {
    switch self {
    case .noRow:
      "not judged: the ledger knows no schedule of this job, as no daemon has entered it"
    case .unreadable: "not judged: this version cannot read the schedule that the ledger has"
    case .knownSince(let start):
      "not judged before \(write(start.wholeSecond)): the ledger knows no schedule of this job"
        + " before"
    }
  }
}

/// The range that is audited.
struct AuditRange {
  private let start: Instant
  private let end: Instant

  init(after start: Instant, through end: Instant) {
    (self.start, self.end) = (start, end)
  }

  /// As many ticks as one call looks at for each job: a month of seconds.
  private static let most = 2_678_400

  func lines(_ session: borrowing LedgerSession) throws -> [AuditLine] {
    let known = try Ledger.jobs(on: session.connection)
    let settings = session.settings
    let diagnoses = try Ledger.healthSnapshot(at: session.now, on: session.connection)
      .diagnoses(of: ProgramJobs.scheduled(session.loaded), at: session.now)
    var lines: [AuditLine] = []
    for job in settings.jobs {
      guard let record = known.first(where: { $0.name == job.name }) else {
        if job.isEnabled, !known.isEmpty {
          lines.append(
            AuditLine(
              job: job.name.text, audit: Audit(expecting: [], found: []), unjudged: .noRow))
        }
        continue
      }
      let diagnosis = diagnoses.first { $0.job == job.name }
      lines.append(try line(of: job, record, diagnosis, session))
    }
    return lines
  }

  private func line(
    of job: JobSettings, _ record: JobRecord, _ diagnosis: JobDiagnosis?,
    _ session: borrowing LedgerSession
  ) throws -> AuditLine {
    let told = try Ledger.schedules(of: job.name, on: session.connection)
    let asked = start
    let start = max(asked, record.knownSince, told.first?.since ?? record.knownSince)
    // Up to now, or where a daemon may be about to decide.
    let end = min(end, diagnosis?.undecided?.through ?? record.decidedUntil)
    let history = ScheduleHistory(
      told, present: job.schedule, knownSince: record.knownSince, zones: session.loaded.zones)
    let ticks = history.ticks(after: start, through: end, limit: Self.most)
    let rows = try Ledger.ticks(of: job.name, after: start, through: end, on: session.connection)
    let audit = Audit(expecting: ticks, found: rows)
    let unjudged: AuditLine.Unjudged? =
      if !ticks.isEmpty { nil } else if !history.isReadable { .unreadable } else if start > asked {
        .knownSince(start)
      } else { nil }
    return AuditLine(
      job: job.name.text, audit: audit,
      undecided: audit.missing.count { $0 > record.decidedUntil },
      reason: diagnosis?.undecided?.reason, unjudged: unjudged)
  }
}
