import LocalTime

/// What is decided of a learner by one run, and when to look again.
struct PushAgenda: Sendable, Equatable {
  let decisions: [PushDecision]
  let lookAt: Instant
}

extension PushPlanner {
  /// The instant until which a window must begin for its push to be decided now.
  var horizon: Instant { now.advanced(bySeconds: rules.lead) }

  /// Decides what is due, and says when the next window begins that is not decided.
  func agenda() -> PushAgenda {
    let decisions = days.compactMap { due(on: $0) }
    let decided = Set(facts.rows.map(\.day) + decisions.map(\.plan.day))
    return PushAgenda(decisions: decisions, lookAt: nextLook(besides: decided))
  }

  /// What is decided of a day now, if anything is.
  func due(on day: CivilDate) -> PushDecision? {
    guard let row = facts.rows.first(where: { $0.day == day }) else {
      let plan = plan(for: day)
      return plan.begins <= horizon ? decision(on: plan) : nil
    }
    guard isRevisable(row),
      isOvertaken(row) || facts.hasNews || facts.changedAt > row.plannedAt
    else { return nil }
    let decision = decision(on: plan(for: day))
    return staysTrue(row, beside: decision) ? nil : decision
  }

  /// Whether something new may still change a row: why nothing went out on a day that is over stays true,
  /// whatever is studied or wished for since.
  private func isRevisable(_ row: PushRow) -> Bool {
    row.state.isRevisable && row.handedAt == nil && (row.state == .planned || row.day >= today)
  }

  /// Why nothing went out in a window that has passed stays true too, unless there is another one ahead in which
  /// something does.
  private func staysTrue(_ row: PushRow, beside decision: PushDecision) -> Bool {
    if row.state == .expired { return !opensLater(decision, than: row) }
    guard row.state == .suppressed, !isOvertaken(row) else { return false }
    let hasPassed = row.windowTo.map { $0 <= now } ?? false
    return decision.state == .expired || hasPassed && decision.state != .planned
  }

  /// Whether a push goes out in a window that is not over with that of the row: who sends may have found that one
  /// over by a later clock than this run's.
  private func opensLater(_ decision: PushDecision, than row: PushRow) -> Bool {
    guard decision.state == .planned, let window = decision.plan.window else { return false }
    return row.windowTo.map { window.to > $0 } ?? true
  }

  /// Whether there is a study to follow up that a push does not follow: it is told without planning anew, as
  /// most learners have a push of the day before that stays as it is.
  private func isOvertaken(_ row: PushRow) -> Bool {
    guard let latest = latestStudy(for: row.day), latest.day >= row.day else { return false }
    return row.kind != .followUp || row.evidence != latest.end
  }

  /// The days that may have something to decide, in order.
  private var days: [CivilDate] {
    let open = facts.rows.filter(isRevisable).map(\.day)
    return Set(open + [today, zone.localDay(of: horizon)] + overlooked).sorted()
  }

  /// The days that ended while nobody looked: nothing goes out for them, and that is written down.
  private var overlooked: [CivilDate] {
    guard let lookAt = facts.lookAt else { return [] }
    let yesterday = zone.previousDay(before: today)
    let first = zone.localDay(of: lookAt)
    guard first < today else { return [] }
    return first < yesterday ? [zone.previousDay(before: yesterday), yesterday] : [yesterday]
  }

  /// Whether a run decides a day of which nothing is written, now or when its window begins.
  func willDecide(on day: CivilDate) -> Bool { day >= today || overlooked.contains(day) }

  private func nextLook(besides decided: Set<CivilDate>) -> Instant {
    var day = today
    while decided.contains(day) {
      day = zone.localDay(of: zone.startOfDay(day.advanced(by: 1)))
    }
    return plan(for: day).begins
  }
}
