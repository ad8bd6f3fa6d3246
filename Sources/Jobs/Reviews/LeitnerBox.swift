import LocalTime

/// In which box a pattern is, and when it is due.
struct LeitnerBox: Equatable {
  /// Counted from 1.
  let box: Int
  let dueOn: CivilDate
}

extension LeitnerBox {
  /// Moves a new pattern from box to box by answers, which are given newest last with their days.
  ///
  /// A right answer before the pattern is due moves nothing: else one session would bring it from the
  /// first box to the last.
  init?(_ answers: Answers, on days: [CivilDate], under rules: borrowing ReviewRules) {
    var box = 1
    var dueOn: CivilDate?
    for (answer, day) in zip(answers, days) {
      if let dueOn, answer.isCorrect, day < dueOn { continue }
      box = answer.isCorrect ? min(box + 1, rules.boxDays.count) : 1
      dueOn = day.advanced(by: rules.boxDays[box - 1])
    }
    guard let dueOn else { return nil }
    self.init(box: box, dueOn: dueOn)
  }
}

extension LeitnerBox {
  /// The latest due date, which is a date of UTC, of a pattern that may be reviewed on a local day.
  ///
  /// It is that on which the learner's latest answer arrived, so that what is recommended counts when it is
  /// answered. By the date of the run, a full one would come to other reviews than the one before it: a
  /// date of UTC ends within a local day. Where the latest answer is older it is the first date that
  /// clocks of UTC may show on the local day.
  static func latestDue(by standings: [Standing], on day: CivilDate) -> CivilDate {
    let first = day.advanced(by: -1)
    guard let arrived = standings.lazy.map(\.measuredAt).max() else { return first }
    return max(first, Zone.utc.localDay(of: arrived))
  }
}
