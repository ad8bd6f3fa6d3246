internal import Config
public import JobKit
internal import Postgres

/// What a run is like that the app asks for, and which arguments it may have: `jobkit.request()` goes by it, so that it
/// refuses at once what the job would not take.
public struct RequestForm: Sendable {
  let job: JobName
  private let json: JSON

  /// The form of a job under its settings.
  public init(of job: ScheduledJob, arguments: [JobArgument]) {
    self.job = job.name
    json = [
      "parts": .integer(job.parts), "exclusive": .boolean(job.policies.overlap.isExclusive),
      "priority": .integer(job.policies.priority), "percent": .integer(job.percent),
      "arguments": .array(
        arguments.map { argument in
          [
            "name": .string(argument.name), "kind": .string(argument.kind.rawValue),
            "choices": .array(argument.choices.map { .string($0) }),
            "usage": .string(argument.usage),
          ]
        }),
    ]
  }

  var text: JSONText { JSONText(json.compact) }
}
