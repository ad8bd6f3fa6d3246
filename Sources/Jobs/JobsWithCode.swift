public import JobKit

/// The jobs that this program can run.
///
/// The ledger shows the others too, with their schedules; a daemon leaves them alone.
public func jobsWithCode(isRehearsal: Bool) -> [any Job] {
  #if DEBUG
    isRehearsal ? learningJobsWithCode + [Rehearse()] : learningJobsWithCode
  #else
    learningJobsWithCode
  #endif
}

private let learningJobsWithCode: [any Job] = [
  ScheduleDailyPush(),
  RecommendReview(),
]
