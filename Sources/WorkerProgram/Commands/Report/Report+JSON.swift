internal import Config
internal import JobKit
internal import Jobs
internal import Ledger
internal import LocalTime

/// The report for programs.
extension Report {
  var json: JSON {
    [
      "from": .string(period.range.lowerBound.description),
      "to": .string(period.range.upperBound.description), "compared": .boolean(isComparable),
      "outage": outage.map { outage in
        [
          "from": JSON(outage.start?.description), "to": JSON(outage.end?.description),
          "undecided": .integer(outage.undecided),
        ]
      } ?? nil,
      "jobs": .array(
        jobs.map { job in
          .object(
            [JSON.Member("job", .string(job.now.job.text))] + job.now.numbers
              + [JSON.Member("before", job.before.map { .object($0.numbers) } ?? nil)])
        }),
      "learners": .array(
        learners.map { subject in
          [
            "title": .string(subject.now.title), "numbers": subject.now.numbersJSON,
            "before": subject.before?.numbersJSON ?? nil, "remark": JSON(subject.now.remark),
          ]
        }),
    ]
  }
}

extension JobActivity {
  fileprivate var numbers: [JSON.Member] {
    [
      .init("due", .integer(due)), .init("ran", .integer(ran)),
      .init("succeeded", .integer(succeeded)),
      .init("failed", .integer(failed)), .init("made_good", .integer(madeGood)),
      .init("late", .integer(late)), .init("missed", .integer(missed)),
      .init("skipped", .integer(skipped)),
    ]
  }
}

extension LearnerReport {
  fileprivate var numbersJSON: JSON {
    .object(numbers.map { JSON.Member($0.what, .integer($0.count)) })
  }
}
