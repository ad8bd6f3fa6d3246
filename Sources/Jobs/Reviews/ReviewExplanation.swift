internal import Config
import JobKit
import LocalTime

/// What there is to say of each of a learner's patterns: its measures, and why it is reviewed or not.
///
/// Only the reviews that are written are there: the job writes none for a day on which no attempt arrives.
struct ReviewExplanation {
  private let learner: ReviewLearner
  private let patterns: ReviewPatterns
  private let choice: ReviewChoice

  init(
    of learner: ReviewLearner, _ standings: [Standing], at now: Instant, patterns: ReviewPatterns
  ) {
    self.learner = learner
    self.patterns = patterns
    choice = ReviewChoice(
      among: standings, done: learner.done, dueBy: Self.dueBy(for: learner, standings, at: now),
      isFree: learner.isFree, under: patterns.rules)
  }

  /// By which date patterns in boxes are due: the one by which the reviews were chosen that are open.
  ///
  /// Where there are none, some would be when an attempt arrives, which can only be now or later.
  private static func dueBy(
    for learner: ReviewLearner, _ standings: [Standing], at now: Instant
  ) -> CivilDate {
    guard let today = learner.today, !learner.open.isEmpty else {
      return Zone.utc.localDay(of: now)
    }
    return LeitnerBox.latestDue(by: standings, on: today)
  }

  var explanation: LearnerExplanation {
    let lines = choice.verdicts.map {
      "\(code(of: $0.standing)): \(words(for: $0.decision)); \(measures(of: $0.standing))"
    }
    return LearnerExplanation(lines: [heading] + lines, facts: facts)
  }

  private var heading: String {
    guard let today = learner.today else {
      return "nobody knows the learner's zone: there are no reviews until it is corrected"
    }
    let plan = learner.isFree ? "free" : "pro"
    return choice.verdicts.isEmpty
      ? "no attempt yet: there is nothing to review on \(today)"
      : "reviews of \(today), on the \(plan) plan, the weakest pattern first:"
  }

  private func words(for decision: ReviewChoice.Decision) -> String {
    switch decision {
    case .recommended where learner.today == nil: "would be recommended"
    case .recommended(let review):
      (learner.open.contains(review)
        ? "recommended as review" : "would be, by the run after an attempt arrives, review")
        + " \(review.rank), \(review.difficulty),"
        + " \(review.sentences) sentences\(review.isLocked ? ", locked on the free plan" : "")"
    case .done(let rank): "was review \(rank), and is done for this day"
    case .collecting: "still collecting: it takes \(patterns.rules.fewestAttempts) attempts"
    case .notDue(let day): "in its box until \(day)"
    case .strongerThanOthers: "not among the \(patterns.rules.mostReviews) weakest"
    }
  }

  private func measures(of standing: Standing) -> String {
    let measure = standing.measure
    let before =
      standing.weekBefore.map { "\(standing.trend) from \(percent($0)) a week before" }
      ?? "with nothing a week before"
    let box = standing.box.map { "; box \($0.box), due on \($0.dueOn)" } ?? ""
    return "conquest \(percent(measure.conquest)) over \(measure.attempts) attempts"
      + " (right \(percent(measure.ewma)), with a hint \(percent(measure.hintRate)),"
      + " at the first try \(percent(measure.firstTryRate))), \(before)\(box)"
  }

  private func code(of standing: Standing) -> String {
    patterns.codes[standing.pattern] ?? "\(standing.pattern)"
  }

  private func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }
}

extension ReviewExplanation {
  private var facts: JSON {
    [
      "learner": .integer(learner.id),
      "day": JSON(learner.today.map { "\($0)" }),
      "plan": learner.isFree ? "free" : "pro",
      "patterns": .array(choice.verdicts.map(facts)),
    ]
  }

  private func facts(of verdict: ReviewChoice.Verdict) -> JSON {
    let (standing, measure) = (verdict.standing, verdict.standing.measure)
    let review: Review? =
      if case .recommended(let review) = verdict.decision { review } else { nil }
    return [
      "pattern": .string(code(of: standing)),
      "decision": .string(word(for: verdict.decision)),
      "rank": review.map { .integer($0.rank) } ?? nil,
      "difficulty": JSON(review?.difficulty.rawValue),
      "sentences": review.map { .integer($0.sentences) } ?? nil,
      "locked": review.map { .boolean($0.isLocked) } ?? nil,
      "conquest": .number(measure.conquest), "ewma": .number(measure.ewma),
      "hint_rate": .number(measure.hintRate), "first_try_rate": .number(measure.firstTryRate),
      "attempts": .integer(measure.attempts),
      "week_before": standing.weekBefore.map(JSON.number) ?? nil,
      "trend": .string(standing.trend.rawValue),
      "box": standing.box.map { .integer($0.box) } ?? nil,
      "due_on": JSON(standing.box.map { "\($0.dueOn)" }),
    ]
  }

  private func word(for decision: ReviewChoice.Decision) -> String {
    switch decision {
    case .recommended(let review):
      learner.open.contains(review) ? "recommended" : "would_be_recommended"
    case .done: "done"
    case .collecting: "collecting"
    case .notDue: "not_due"
    case .strongerThanOthers: "stronger_than_others"
    }
  }
}
