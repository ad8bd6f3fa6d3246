public import JobKit
public import Ledger
internal import LocalTime
internal import Postgres
public import Runner
internal import TestSupport

/// Jobs as their authors try them: one run, and what the ledger says of it.
extension Stage {
  /// Runs a job for the instant that the clock shows, all its parts one after the other, on the path of
  /// a scheduled run; returns what the ledger says of the run.
  ///
  /// A part that fails is not tried again: turn the clock and call ``goOn(with:)`` for that.
  public func run(
    _ job: any Job, arguments: [String: String] = [:], percent: Int = 100
  ) throws -> RunRecord {
    let definition = job.definition
    var request = Ledger.RunRequest(
      definition.name, for: try now, parts: definition.parts, policies: definition.policies,
      by: "test")
    request.arguments = arguments
    request.percent = percent
    let number = try Ledger.enter(request, at: now, on: connection)
    try goOn(with: job)
    return try record(of: number)
  }

  /// Works at what is due of a job until nothing is.
  public func goOn(with job: any Job) throws {
    var worker = try worker(1, WorkerPool.Member(job: job, policies: job.definition.policies))
    while try !worker.work().isEmpty {}
  }

  /// What the ledger says of a run.
  public func record(of number: Int) throws -> RunRecord {
    var filter = Ledger.RunFilter()
    filter.id = number
    guard let record = try Ledger.runs(filter, on: connection).first else {
      throw NoSuchRun(number: number)
    }
    return record
  }

  /// What a job would do, which is rolled back.
  public func dryRun(_ job: any Job, arguments: [String: String] = [:]) throws -> DryRun.Report {
    let definition = job.definition
    let member = WorkerPool.Member(job: job, policies: definition.policies)
    return try DryRun(
      of: member, part: PartNumber(number: 0, count: 1), percent: 100, for: now,
      arguments: arguments, zones: zones
    ).run(on: database.connect())
  }
}

/// The ledger has no run of that number.
package struct NoSuchRun: Error {
  let number: Int
}
