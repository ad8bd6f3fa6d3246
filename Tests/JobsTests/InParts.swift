import JobKit

/// So many learners, who are so far apart that each of a few parts has some: neighbours are in the same one.
func scattered(_ count: Int) -> [Int] { (1...count).map { $0 * 53 } }

/// A job as it is under settings that cut its runs into parts.
struct InParts: Job {
  private let job: any Job
  let definition: JobDefinition

  init(_ parts: Int, of job: any Job) {
    self.job = job
    let whole = job.definition
    definition = JobDefinition(
      name: whole.name, purpose: whole.purpose, schedule: whole.schedule, policies: whole.policies,
      parts: parts)
  }

  func plan(_ context: borrowing JobContext) throws -> Int? { try job.plan(context) }

  func run(_ context: inout JobContext) throws -> Outcome { try job.run(&context) }
}
