import LocalTime

/// In which box a pattern is, and when it is due.
struct LeitnerBox: Equatable {
  /// Counted from 1.
  let box: Int
  let dueOn: CivilDate
}

extension LeitnerBox {
  /// Moves a new pattern from box to box by answers, which are given newest first with their days.
  ///
  /// A right answer before the pattern is due moves nothing: else one session would bring it from the
  /// first box to the last.
  init?(_ answers: [Answer], on days: [CivilDate], under rules: ReviewRules) {
    var box = 1
    var dueOn: CivilDate?
    for (answer, day) in zip(answers, days).reversed() {
      if let dueOn, answer.isCorrect, day < dueOn { continue }
      box = answer.isCorrect ? min(box + 1, rules.boxDays.count) : 1
      dueOn = day.advanced(by: rules.boxDays[box - 1])
    }
    guard let dueOn else { return nil }
    self.init(box: box, dueOn: dueOn)
  }
}
