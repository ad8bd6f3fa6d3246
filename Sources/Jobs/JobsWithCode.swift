public import JobKit

/// The jobs that this program can run.
///
/// The ledger shows the others too, with their schedules; a daemon leaves them alone.
public func jobsWithCode(isRehearsal: Bool) -> [any Job] {
  #if DEBUG
    isRehearsal ? [Rehearse()] + learningJobsWithCode : learningJobsWithCode
  #else
    learningJobsWithCode
  #endif
}

/// In the order of the jobs of the learning app.
private let learningJobsWithCode: [any Job] = [
  RecommendReview()
]
