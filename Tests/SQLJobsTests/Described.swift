import Config
import LocalTime
import Postgres
import Settings
import TestKit
import TestSupport

@testable import JobKit
@testable import SQLJobs

/// A job as a text of settings describes it, with what the settings say of all jobs.
struct Described: BasedJob, KeyExplainer {
  let definition: JobDefinition
  let job: any SettingsJob
  let settings: JobSettings

  static func settings(_ text: String) -> SettingsText {
    var catalogue = Catalogue([])
    catalogue.kinds = SQLJobKind.allCases
    return SettingsText(text, catalogue)
  }

  static func load(_ text: String) throws -> LoadedSettings { try settings(text).load() }

  /// All that is said about a text, with line and column.
  static func problems(in text: String) throws -> [String] { try settings(text).problems }

  /// The job of that name, or the first of the text.
  init(_ text: String, named name: JobName? = nil) throws {
    let loaded = try Self.load(text)
    let place = loaded.settings.jobs.firstIndex { $0.name == name } ?? 0
    (job, settings) = (loaded.described[place], loaded.settings.jobs[place])
    definition = JobDefinition(
      name: settings.name, purpose: job.definition.purpose, schedule: job.definition.schedule,
      policies: settings.policies, parts: settings.parts, arguments: job.definition.arguments,
      needs: job.definition.needs)
  }

  func plan(_ context: borrowing JobContext) throws -> Int? { try job.plan(context) }

  func objection(to planned: Int, _ context: borrowing JobContext) throws -> String? {
    try job.objection(to: planned, context)
  }

  func begin(_ context: borrowing JobContext) throws {
    try (job as? any BasedJob)?.begin(context)
  }

  func run(_ context: inout JobContext) throws -> Outcome { try job.run(&context) }

  func explain(
    key: String, at now: Instant, in zones: ZoneDatabase, _ connection: borrowing Connection
  ) throws -> KeyExplanation {
    guard let job = job as? any KeyExplainer else { throw NoExplainer() }
    return try job.explain(key: key, at: now, in: zones, connection)
  }

  private struct NoExplainer: Error {}
}
