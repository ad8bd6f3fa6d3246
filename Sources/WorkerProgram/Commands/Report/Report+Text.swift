internal import JobKit
internal import Jobs
internal import Ledger
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
    guard !all.isEmpty else {
      let nothing =
        hasSchedule
        ? "Nothing was to run." : "No daemon has ever run here, so no job was scheduled."
      return outageSentences + [nothing]
    }
    return outageSentences + [ran(all), failed(all), notRun(all), comparison].compactMap(\.self)
  }

  /// When nobody ran anything, which comes first: all other numbers are to be read with it.
  private var outageSentences: [String] { outages.sentences(text) }

  private func text(_ instant: Instant) -> String {
    let local = zone.local(at: instant)
    return "\(local.date) \(local.timeOfDay)"
  }

  private func ran(_ all: [JobActivity]) -> String {
    let (ran, late) = (all.sum(\.ran), all.sum(\.late))
    let onTime = late == 0 ? "all on time" : "\(late.grouped) of them more than a minute late"
    guard ran > 0 else { return "No job ran." }
    return "\(all.count { $0.ran > 0 }.counted("job")) ran \(ran.counted("time")), \(onTime)."
  }

  private func failed(_ all: [JobActivity]) -> String {
    let (failed, fixed) = (all.sum(\.failed), all.sum(\.fixed))
    if failed == 0 { return "Nothing failed." }
    let rest = failed - fixed
    let open = all.filter { $0.failed > $0.fixed }.map(\.job.text).joined(separator: ", ")
    let end =
      rest == 0
      ? (failed == 1 ? "a later run fixed it" : "later runs fixed all of them")
      : "\(rest.grouped) not fixed yet (\(open))"
    return "\(failed.counted("run")) failed: \(end)."
  }

  private func notRun(_ all: [JobActivity]) -> String? {
    let (missed, skipped) = (all.sum(\.missed), all.sum(\.skipped))
    guard missed + skipped > 0 else { return nil }
    return "Not run: \(missed.grouped) missed because the worker was down or busy, "
      + "\(skipped.grouped) skipped on purpose."
  }

  private var comparison: String? {
    switch incomparable {
    case nil: nil
    case .young(let since):
      "There is no comparison: no job was scheduled here before \(text(since))."
    case .forgotten(let after):
      "There is no comparison: successes are kept for \(RelativeTime.text(after)) ('retention.succeeded')."
    }
  }

  func table(in style: Style) -> String {
    var table = Table(
      "job", "ran", Table.Column("before", rank: 4), Table.Column("late", rank: 3), "failed",
      Table.Column("fixed", rank: 5), Table.Column("missed", rank: 1),
      Table.Column("skipped", rank: 2))
    for job in jobs {
      let now = job.now
      table.add(
        now.job.text, now.ran.grouped, job.before.map(\.ran.grouped) ?? "-", now.late.shown,
        now.failed.shown, now.fixed.shown, now.missed.shown, now.skipped.shown)
    }
    return table.text(in: style)
  }

  func text(in style: Style) -> String {
    let title = style.fitted(heading).split(separator: "\n").map { style.bold(String($0)) }
    return
      ([title.joined(separator: "\n"), style.fitted(sentences.joined(separator: "\n"))]
      + (jobs.isEmpty ? [] : [table(in: style)]) + learnerText(in: style))
      .joined(separator: "\n\n")
  }

  /// The same for a wiki or a chat.
  var markdown: String {
    let rows = jobs.map { job in
      let now = job.now
      let cells = [
        now.job.text, now.ran.grouped, job.before.map(\.ran.grouped) ?? "-", now.late.grouped,
        now.failed.grouped, now.fixed.grouped, now.missed.grouped, now.skipped.grouped,
      ]
      return "| \(cells.joined(separator: " | ")) |"
    }
    let head = [
      "| job | ran | before | late | failed | fixed | missed | skipped |",
      "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    return
      (["## \(heading)", "", sentences.joined(separator: " "), ""]
      + (jobs.isEmpty ? [] : head + rows + [""]) + learnerMarkdown)
      .joined(separator: "\n")
  }
}

extension [JobActivity] {
  fileprivate func sum(_ count: (JobActivity) -> Int) -> Int { reduce(0) { $0 + count($1) } }
}

extension Int {
  /// The number with its thousands apart, as in 12,310.
  var grouped: String {
    let digits = Array(String(magnitude).reversed())
    let groups = stride(from: 0, to: digits.count, by: 3).map { start in
      String(digits[start..<Swift.min(start + 3, digits.count)].reversed())
    }
    return (self < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }

  /// The number, or nothing to look at when there is none.
  var shown: String { self == 0 ? "" : grouped }

  func counted(_ noun: String) -> String {
    self == 1 ? "1 \(noun)" : "\(grouped) \(noun)s"
  }
}
