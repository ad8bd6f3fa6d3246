public import JobKit
public import Push

/// The jobs that this program can run; `transport` is the way that pushes take.
///
/// The ledger shows the others too, with their schedules; a daemon leaves them alone.
public func jobsWithCode(
  isRehearsal: Bool, pushingThrough transport: any PushTransport, saying messages: MessageCatalogue
) -> [any Job] {
  let jobs: [any Job] = [
    ScheduleDailyPush(),
    DeliverPushes(through: transport, saying: messages),
    SweepPushOutcomes(),
    RecommendReview(),
    DetectStreakBreaks(),
    SettleRewards(),
  ]
  #if DEBUG
    return isRehearsal ? jobs + [Rehearse()] : jobs
  #else
    return jobs
  #endif
}
