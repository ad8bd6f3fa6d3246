internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres
internal import Runner

extension ManualRun {
  /// Runs each part in a transaction that is rolled back, and says what it would have come to.
  func rehearse(for tick: Instant, _ values: [String: String]) throws -> ExitCode {
    guard let member = pool.jobs[job.name] else { throw Refused.noCode(job.name) }
    let reports = try (0..<job.parts).map { number in
      let rehearsal = DryRun(
        of: member, part: PartNumber(number: number, count: job.parts), percent: job.percent,
        for: tick, arguments: values, zones: pool.zones)
      return try rehearsal.run(on: Connection(to: session.server))
    }
    let last = try lastRun()
    if arguments.has(.json) {
      try console.print(json(of: reports, for: tick, after: last).pretty)
    } else {
      for (number, report) in reports.enumerated() {
        try console.print("part \(number) (of \(job.parts)): \(report)")
      }
      if let last {
        let counted = last.counters.names.isEmpty ? "nothing" : last.counters.text
        try console.print(
          "the last run that succeeded, for \(last.scheduledFor), counted: \(counted)")
      }
      try console.print("nothing of this was kept: it was a dry run")
    }
    return Self.exitCode(of: reports)
  }

  private static func exitCode(of reports: [DryRun.Report]) -> ExitCode {
    let hasFailed = reports.contains { if case .failed = $0.end { true } else { false } }
    if hasFailed { return .jobFailed }
    return reports.contains { $0.objection != nil } ? .refusedForNow : .done
  }

  /// The latest run that succeeded, to hold a dry run against.
  private func lastRun() throws -> RunRecord? {
    var filter = Ledger.RunFilter()
    (filter.job, filter.state, filter.limit) = (job.name, .succeeded, 1)
    return try Ledger.runs(filter, on: session.connection).first
  }

  private func json(
    of reports: [DryRun.Report], for tick: Instant, after last: RunRecord?
  ) -> JSON {
    [
      "job": .string(job.name.text), "scheduled_for": .string(tick.description),
      "dry_run": true, "parts": .array(reports.map(\.json)),
      "last_succeeded": last?.json(at: session.now) ?? .null,
    ]
  }
}

extension DryRun.Report {
  var json: JSON {
    let end: [JSON.Member] =
      switch self.end {
      case .succeeded(let outcome):
        [.init("would", "succeed"), .init("summary", .string(outcome.summary))]
      case .failed(let error): [.init("would", "fail"), .init("error", .string(error))]
      }
    return .object(
      end + [
        .init("planned", planned.map(JSON.integer) ?? .null),
        .init("held_because", JSON(objection)),
        .init("counters", progress.counters.json),
        .init("changes", .array(changes.map(\.json))),
        .init("examples", .array(progress.examples.map(JSON.string))),
      ])
  }
}

extension TableChange {
  fileprivate var json: JSON {
    [
      "table": .string(table), "inserted": .integer(inserted), "updated": .integer(updated),
      "deleted": .integer(deleted),
    ]
  }
}
