import LocalTime

/// What the planner would do on a day, and why, a sentence each.
extension PushPlanner {
  ///
  /// The verdict stands first: whoever asks why nothing came reads no further.
  func words(on day: CivilDate) -> [String] {
    let (plan, words) = (plan(for: day), PushWords(zone: zone, day: day))
    let wanted =
      "\(plan.kind.words): \(plan.basis.words(plan.evidence.map(words.time))), so its window is"
      + " \(words.span(plan.wanted))"
    let decision = decision(on: plan)
    return [Self.verdict(decision), wanted, quietWords, cutWords(plan, words)]
      + (plan.minute.map { [minuteWords($0, plan, words)] } ?? []) + messageWords(decision)
  }

  private var quietWords: String {
    guard !quietHours.isEmpty else { return "the learner has no quiet hours" }
    let whose = facts.quietHours == nil ? "quiet hours are" : "the learner's own quiet hours are"
    return
      "\(whose) \(PushWords.clock(quietHours.from)) to \(PushWords.clock(quietHours.to))"
  }

  private func cutWords(_ plan: PushPlan, _ words: PushWords) -> String {
    let left = plan.window.map { words.span($0) } ?? "nothing"
    return switch plan.cut {
    case .whole: "all of the window is on the day and outside of quiet hours"
    case .cut: "the day's ends and quiet hours leave \(left) of it"
    case .hurried(.quietHours): "none of that is outside of quiet hours, so it hurries: \(left)"
    case .hurried(.dayOver): "none of that is on the day, so it hurries: \(left)"
    case .nothing: "that leaves no minute for it"
    }
  }

  private static func verdict(_ decision: PushDecision) -> String {
    decision.reason.map { "it would not go out: \(pushReasonInWords($0.rawValue))" }
      ?? "it would go out, and is decided when its window begins"
  }

  private func minuteWords(_ minute: Instant, _ plan: PushPlan, _ words: PushWords) -> String {
    let part = plan.third.map { ", in the \(["first", "second", "last"][$0]) third of the window," }
    let why = part.map { "\($0) of whose pushes most are opened" } ?? ""
    return "its minute would be \(words.time(minute))\(why)"
  }

  private func messageWords(_ decision: PushDecision) -> [String] {
    let message = decision.message
    let variant = message.variant.map { ", variant '\($0)'" } ?? ""
    let more =
      message.pattern.map { ", about '\($0)'" }
      ?? message.streakDays.map { ", about \($0) days" } ?? ""
    return ["its text would be '\(message.template.rawValue)'\(variant)\(more)"]
      + losers(to: message.template, on: decision.plan.day).map {
        "not '\($0.template.rawValue)': \($0.reason)"
      }
  }

  /// The templates that are not taken, each with its reason.
  func losers(
    to winner: PushTemplate, on day: CivilDate
  ) -> [(template: PushTemplate, reason: String)] {
    PushTemplate.allCases.filter { $0 != winner }.map { template in
      let objection = objection(to: template, on: day)
      return (template, objection?.words ?? "'\(winner.rawValue)' comes before it")
    }
  }
}
