public import JobKit
public import Push

/// The jobs that this program can run: a new one is a file in this folder and a line here.
///
/// They go by the rules of the settings; `transport` is the way that pushes take, and `unwritten` what is kept of
/// them while the database is away.
public func jobsWithCode(
  by rules: LearningRules, pushingThrough transport: any PushTransport,
  saying messages: MessageCatalogue, keeping unwritten: UnwrittenReports, isRehearsal: Bool
) -> [any Job] {
  let jobs: [any Job] = [
    ScheduleDailyPush(rules: rules.push),
    DeliverPushes(
      through: transport, saying: messages, rules: rules.delivery, keeping: unwritten),
    SweepPushOutcomes(rules: rules.sweep),
    RecommendReview(rules: rules.reviews),
    DetectStreakBreaks(rules: rules.streaks),
    SettleRewards(rules: rules.rewards, streakRules: rules.streaks),
    RefreshLeaderboard(rules: rules.leaderboards),
    RefreshWidgetSnapshots(rules: rules.widgets),
  ]
  #if DEBUG
    return isRehearsal ? jobs + [Rehearse()] : jobs
  #else
    return jobs
  #endif
}
