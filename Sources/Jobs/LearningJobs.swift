public import JobKit

/// The jobs of the learning app; a new one is a file beside this one and a line here.
public let learningJobs: [JobDefinition] = [
  .scheduleDailyPush,
  .deliverPushes,
  .sweepPushOutcomes,
  .recommendReview,
  .detectStreakBreaks,
  .settleRewards,
  .refreshLeaderboard,
  .refreshWidgetSnapshots,
]
