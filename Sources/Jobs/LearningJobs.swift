public import JobKit
import Push

/// What defines the jobs of the learning app, in the order of ``jobsWithCode``, which is the only list of them.
public let learningJobs: [JobDefinition] = jobsWithCode(
  by: LearningRules(), pushingThrough: NoTransport(), saying: .builtIn,
  keeping: UnwrittenReports(), isRehearsal: false
).map(\.definition)
