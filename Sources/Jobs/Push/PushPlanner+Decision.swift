import JobKit
import LocalTime
internal import Migrations

extension PushPlanner {
  /// Whether the push of a plan goes out, and what it says.
  func decision(on plan: PushPlan) -> PushDecision {
    PushDecision(
      user: facts.user, plan: plan, verdict: verdict(on: plan), message: choice(on: plan.day))
  }

  private func verdict(on plan: PushPlan) -> PushDecision.Verdict {
    guard let window = plan.window, let minute = plan.minute else {
      guard case .nothing(let reason) = plan.cut else { return .suppressed(.quietHours) }
      return reason == .windowPassed ? .expired(reason) : .suppressed(reason)
    }
    guard now < window.to else { return .expired(.windowPassed) }
    return objection(to: plan.day, at: minute).map { .suppressed($0) } ?? .planned
  }

  /// The first reason not to send a push of a day at a minute.
  private func objection(to day: CivilDate, at minute: Instant) -> PushReason? {
    if let reason = facts.eligibility.objection { return reason }
    if !facts.hasDevice { return .noDevice }
    if isHeldOut { return .holdout }
    guard let last = facts.lastHandOver(besides: day) else { return nil }
    return minute < last + rules.gap ? .capped : nil
  }

  /// Whether the learner is one of those who get no push, which is for ever.
  var isHeldOut: Bool {
    Int(StableHash.of("\(facts.user) push holdout") % 1000) < rules.holdoutPermille
  }
}

extension PushPlanner {
  /// What the push of a day says: the first template that fits.
  func choice(on day: CivilDate) -> PushChoice {
    let template =
      PushTemplate.allCases.first { objection(to: $0, on: day) == nil } ?? .basic
    let experiment = rules.experiments.first { $0.template == template }
    return PushChoice(
      template: template, variant: experiment?.variant(for: facts.user),
      pattern: template == .pattern ? review(for: day)?.pattern : nil,
      streakDays: template == .streak ? facts.streak?.days : nil)
  }

  /// Why a template does not fit a day, or nothing when it does.
  func objection(to template: PushTemplate, on day: CivilDate) -> PushObjection? {
    switch template {
    case .streak: objectionToStreak(on: day)
    case .pattern: objectionToPattern(on: day)
    case .encourage: objectionToEncouraging(on: day)
    case .basic: nil
    }
  }

  private func objectionToStreak(on day: CivilDate) -> PushObjection? {
    guard let streak = facts.streak, let lastDay = streak.lastDay else { return .noStreak }
    // In the hours of grace a streak is still kept that a session of today does not keep.
    guard streak.state == "kept", lastDay >= zone.previousDay(before: day) else {
      return .streakMissedDay
    }
    guard streak.days >= rules.streakDays else {
      return .shortStreak(days: streak.days, least: rules.streakDays)
    }
    return facts.studies.contains { $0.day == day } ? .streakAtNoRisk : nil
  }

  private func objectionToPattern(on day: CivilDate) -> PushObjection? {
    guard let review = review(for: day) else { return .noReview }
    return review.pattern == nil ? .reviewNotOpen(of: review.day) : nil
  }

  private func objectionToEncouraging(on day: CivilDate) -> PushObjection? {
    guard let latest = latestStudy(for: day) else { return .neverStudied }
    let days = day.dayNumber - latest.day.dayNumber
    return days < rules.encourageDays ? .studiedRecently(daysAgo: max(0, days)) : nil
  }

  /// Those of the newest day, open or not: older ones may have been done since.
  private func review(for day: CivilDate) -> PushFacts.Review? {
    let days = day.advanced(by: -rules.reviewDays)...day
    return facts.reviews.filter { days.contains($0.day) }.max { $0.day < $1.day }
  }
}
