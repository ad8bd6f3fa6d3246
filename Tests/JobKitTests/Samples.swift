import JobKit
import Ledger
import LocalTime
import Testing

extension ScheduledJob {
  /// A job that is due every minute, or at `every`, and comes after those of `after`.
  static func sample(
    _ name: JobName = "sample", every interval: Duration = .seconds(60), after: After = After(),
    isEnabled: Bool = true, parts: Int = 1,
    _ tune: (inout Policies) -> Void = { _ in }
  ) throws -> ScheduledJob {
    var policies = Policies()
    tune(&policies)
    let interval = try #require(Interval(interval))
    return ScheduledJob(
      name: name, schedule: Schedule(every: interval, shownIn: .utc), policies: policies,
      after: after, isEnabled: isEnabled, parts: parts)
  }
}

/// A job whose work is what a test says.
struct Rehearsed: Job {
  var name: JobName = "sample"
  let work: @Sendable (inout JobContext) throws -> Outcome

  var definition: JobDefinition {
    JobDefinition(name: name, purpose: "is rehearsed", schedule: .every(.seconds(60)))
  }

  func run(_ context: inout JobContext) throws -> Outcome {
    try work(&context)
  }
}
