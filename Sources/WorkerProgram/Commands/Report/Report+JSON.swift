internal import Config
internal import JobKit
internal import Jobs
internal import Ledger
internal import LocalTime

/// The report for programs.
extension Report {
  var json: JSON {
    .object(facts + LearningApp.whenOn([JSON.Member("learners", .array(learners.map(\.json)))]))
  }

  private var facts: [JSON.Member] {
    let time: [JSON.Member] = [
      .init("from", .string(period.range.lowerBound.description)),
      .init("to", .string(period.range.upperBound.description)),
      .init("compared", .boolean(incomparable == nil)),
    ]
    let activities = jobs.map { job in
      JSON.object(
        [JSON.Member("job", .string(job.now.job.text))] + job.now.numbers
          + [JSON.Member("before", job.before.map { .object($0.numbers) } ?? nil)])
    }
    return time + outages.json + [.init("jobs", .array(activities))]
  }
}

extension JobActivity {
  fileprivate var numbers: [JSON.Member] {
    [
      .init("due", .integer(due)), .init("ran", .integer(ran)),
      .init("succeeded", .integer(succeeded)),
      .init("failed", .integer(failed)), .init("fixed", .integer(fixed)),
      .init("late", .integer(late)), .init("missed", .integer(missed)),
      .init("skipped", .integer(skipped)),
    ]
  }
}

extension Report.Comparison<LearnerReport> {
  fileprivate var json: JSON {
    [
      "title": .string(now.title), "numbers": now.numbersJSON,
      "before": before?.numbersJSON ?? nil, "remark": JSON(now.remark),
    ]
  }
}

extension LearnerReport {
  fileprivate var numbersJSON: JSON {
    .object(numbers.map { JSON.Member($0.what, .integer($0.count)) })
  }
}
