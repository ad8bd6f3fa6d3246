internal import Jobs

/// What came of the jobs for learners: a line for each number that there is, now or before.
extension Report {
  func learnerText(in style: Style) -> [String] {
    var table = Table(
      "for learners", "", "now", "share", "before", "change"
    )
    for line in learnerLines {
      table.add(line.subject, line.what, line.now, line.share, line.before, line.change)
    }
    let tables = learnerLines.isEmpty ? [] : [table.text(in: style)]
    return tables + [style.fitted(remarks.joined(separator: "\n"))].filter { !$0.isEmpty }
  }

  /// The same for a wiki or a chat.
  var learnerMarkdown: [String] {
    let head = [
      "| for learners | | now | share | before | change |", "|---|---|---:|---:|---:|---:|",
    ]
    let rows = learnerLines.map { line in
      let cells = [line.subject, line.what, line.now, line.share, line.before, line.change]
      return "| \(cells.joined(separator: " | ")) |"
    }
    return (rows.isEmpty ? [] : head + rows + [""]) + remarks.map { "- \($0)" }
  }

  /// How things stand, and of what there is nothing to count.
  private var remarks: [String] {
    learners.compactMap { subject in
      let words = [lines(of: subject).isEmpty ? "nothing" : nil, subject.now.remark]
        .compactMap(\.self)
      return words.isEmpty ? nil : "\(subject.now.title): \(words.joined(separator: "; "))"
    }
  }

  private struct Line {
    var subject: String
    let what: String
    let now: String
    let share: String
    let before: String
    let change: String
  }

  /// The name of each subject stands on its first line alone.
  private var learnerLines: [Line] {
    learners.flatMap { subject in
      lines(of: subject).enumerated().map { number, line in
        var line = line
        if number > 0 { line.subject = "" }
        return line
      }
    }
  }

  private func lines(of subject: Comparison<LearnerReport>) -> [Line] {
    let (now, before) = (subject.now.numbers, subject.before?.numbers)
    return now.compactMap { number in
      let old = before.map { $0.first { $0.what == number.what }?.count ?? 0 }
      guard number.count > 0 || old ?? 0 > 0 else { return nil }
      let whole = now.first { $0.what == number.whole }
      return Line(
        subject: subject.now.title, what: number.what, now: number.count.grouped,
        share: whole.map { Self.share(of: number.count, in: $0.count) } ?? "",
        before: old?.grouped ?? "-",
        change: old.map { Self.change(to: number.count, from: $0) } ?? "")
    }
  }

  /// As in `12.5 %`; nothing of nothing is no share.
  private static func share(of part: Int, in whole: Int) -> String {
    whole > 0 ? "\(percent(part, of: whole)) %" : ""
  }

  /// As in `+12.5 %`; where there was nothing before, all of it is new.
  private static func change(to now: Int, from before: Int) -> String {
    guard now != before else { return "=" }
    guard before > 0 else { return "new" }
    return "\(now > before ? "+" : "-")\(percent(abs(now - before), of: before)) %"
  }

  /// With one decimal, and of what is large without: nobody reads a change of 1,234.5 %.
  private static func percent(_ part: Int, of whole: Int) -> String {
    let tenths = Int(min(Double(part) / Double(whole) * 1000, 1e15).rounded())
    return tenths < 1000 ? "\(tenths / 10).\(tenths % 10)" : (tenths / 10).grouped
  }
}
