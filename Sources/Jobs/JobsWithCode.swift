public import JobKit
public import Push

/// The jobs that this program can run, by the rules of the settings; `transport` is the way that pushes
/// take, and `unwritten` what is kept of them while the database is away.
///
/// The ledger shows the others too, with their schedules; a daemon leaves them alone.
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
