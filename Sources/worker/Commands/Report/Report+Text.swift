internal import JobKit
internal import Jobs
internal import LocalTime

/// The report for people who are no engineers.
extension Report {
  var heading: String {
    let (from, to) = (
      zone.local(at: period.range.lowerBound), zone.local(at: period.range.upperBound)
    )
    let name = period.name == "period" ? "The time" : "The \(period.name)"
    return "\(name) from \(from.date) \(from.timeOfDay) to \(to.date) \(to.timeOfDay), \(zone.name)"
  }

  /// How it went as a whole, in a few sentences.
  var sentences: [String] {
    let all = jobs.map(\.now)
    guard !all.isEmpty else { return ["Nothing was to run."] }
    return [ran(all), failed(all), notRun(all), comparison].compactMap(\.self)
  }

  private func ran(_ all: [JobActivity]) -> String {
    let (ran, late) = (all.sum(\.ran), all.sum(\.late))
    let onTime = late == 0 ? "all on time" : "\(late.grouped) of them more than a minute late"
    return "\(all.count.counted("job")) ran \(ran.counted("time")), \(onTime)."
  }

  private func failed(_ all: [JobActivity]) -> String {
    let (failed, good) = (all.sum(\.failed), all.sum(\.madeGood))
    if failed == 0 { return "Nothing failed." }
    let rest = failed - good
    let open = all.filter { $0.failed > $0.madeGood }.map(\.job).joined(separator: ", ")
    let end =
      rest == 0
      ? (failed == 1 ? "a later run made it good" : "later runs made all of them good")
      : "\(rest.grouped) not made good yet (\(open))"
    return "\(failed.counted("run")) failed: \(end)."
  }

  private func notRun(_ all: [JobActivity]) -> String? {
    let (missed, skipped) = (all.sum(\.missed), all.sum(\.skipped))
    guard missed + skipped > 0 else { return nil }
    return "Not run: \(missed.grouped) missed because the worker was down or busy, "
      + "\(skipped.grouped) left out on purpose."
  }

  private var comparison: String? {
    isComparable
      ? nil : "There is no comparison: the time before is longer ago than successes are remembered."
  }

  func table(in style: Style) -> String {
    var table = Table("job", "ran", "before", "late", "failed", "made good", "missed", "left out")
    for job in jobs {
      let now = job.now
      table.add(
        now.job, now.ran.grouped, job.before.map(\.ran.grouped) ?? "-", now.late.shown,
        now.failed.shown, now.madeGood.shown, now.missed.shown, now.skipped.shown)
    }
    return table.text(in: style)
  }

  /// A line for each subject: its numbers, each with that of the time before.
  var learnerLines: [String] {
    learners.map { subject in
      let before = subject.before?.numbers ?? []
      let numbers = subject.now.numbers.filter { number in
        number.count > 0 || before.contains { $0.what == number.what && $0.count > 0 }
      }.map { number in
        let old = before.first { $0.what == number.what }.map { " (before \($0.count.grouped))" }
        return "\(number.count.grouped) \(number.what)\(old ?? "")"
      }
      let words = numbers.isEmpty ? ["nothing"] : numbers
      let line = "\(subject.now.title): \(words.joined(separator: ", "))"
      return line + (subject.now.remark.map { "; \($0)" } ?? "")
    }
  }

  func text(in style: Style) -> String {
    ([style.bold(heading), sentences.joined(separator: "\n")]
      + (jobs.isEmpty ? [] : [table(in: style)]) + [learnerLines.joined(separator: "\n")])
      .joined(separator: "\n\n")
  }

  /// The same for a wiki or a chat.
  var markdown: String {
    let rows = jobs.map { job in
      let now = job.now
      let cells = [
        now.job, now.ran.grouped, job.before.map(\.ran.grouped) ?? "-", now.late.grouped,
        now.failed.grouped, now.madeGood.grouped, now.missed.grouped, now.skipped.grouped,
      ]
      return "| \(cells.joined(separator: " | ")) |"
    }
    let head = [
      "| job | ran | before | late | failed | made good | missed | left out |",
      "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    return
      (["## \(heading)", "", sentences.joined(separator: " "), ""]
      + (jobs.isEmpty ? [] : head + rows + [""]) + learnerLines.map { "- \($0)" })
      .joined(separator: "\n")
  }
}

extension [JobActivity] {
  fileprivate func sum(_ count: (JobActivity) -> Int) -> Int { reduce(0) { $0 + count($1) } }
}

extension Int {
  /// The number with its thousands apart, as in 12,310.
  fileprivate var grouped: String {
    let digits = Array(String(magnitude).reversed())
    let groups = stride(from: 0, to: digits.count, by: 3).map { start in
      String(digits[start..<Swift.min(start + 3, digits.count)].reversed())
    }
    return (self < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }

  /// The number, or nothing to look at when there is none.
  fileprivate var shown: String { self == 0 ? "" : grouped }

  fileprivate func counted(_ noun: String) -> String {
    self == 1 ? "1 \(noun)" : "\(grouped) \(noun)s"
  }
}
