/// The offsets of a zone for all of time, ready to be searched.
///
/// Changes are listed up to the year 2100; those after it are worked out from the rule when asked
/// for. It is a class so that copying a zone copies a reference: nothing in it ever changes.
final class ZoneRules: Sendable {
  private let starts: [Int]
  private let offsets: [Int]
  /// What holds from the start of the last listed span on.
  private let rule: PosixRule?

  init(changes: [ZoneSpan], rule: PosixRule?) {
    let hasSummer = rule.map { $0.spans(of: 2000...2004).merged().count > 1 } ?? false
    let listed = changes.last?.start ?? ZoneSpan.beginning
    let ahead = hasSummer ? rule?.spans(of: Self.firstRuleYear(after: listed)...2100) : nil
    let spans = (changes + (ahead ?? []).filter { $0.start > listed }).merged()
    starts = spans.map(\.start)
    offsets = spans.map(\.offset)
    self.rule = hasSummer ? rule : nil
  }

  /// A file whose last change lies far back or ahead adds no more years than this needs.
  private static func firstRuleYear(after second: Int) -> Int {
    let year = CalendarMonth(containing: second.flooredDivision(by: 86_400)).year
    return min(max(year - 1, 1900), 2090)
  }

  func offset(at second: Int) -> Int {
    let index = index(at: second)
    guard index == starts.count - 1, rule != nil else { return offsets[index] }
    return span(at: second).offset
  }

  /// The span an instant lies in, and where it ends.
  func span(at second: Int) -> (start: Int, end: Int, offset: Int) {
    let index = index(at: second)
    guard index == starts.count - 1 else {
      return (starts[index], starts[index + 1], offsets[index])
    }
    guard let rule else { return (starts[index], ZoneSpan.end, offsets[index]) }
    return span(at: second, by: rule)
  }

  private func index(at second: Int) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= second { low = middle } else { high = middle }
    }
    return low
  }

  private func span(at second: Int, by rule: PosixRule) -> (start: Int, end: Int, offset: Int) {
    let year = CalendarMonth(containing: second.flooredDivision(by: 86_400)).year
    let spans = rule.spans(of: year - 2...year + 2).merged()
    guard let current = spans.last(where: { $0.start <= second }) else {
      return (ZoneSpan.beginning, ZoneSpan.end, rule.standardOffset)
    }
    let next = spans.first { $0.start > second }
    return (current.start, next?.start ?? ZoneSpan.end, current.offset)
  }
}

extension ZoneRules: Hashable {
  static func == (left: ZoneRules, right: ZoneRules) -> Bool {
    left.starts == right.starts && left.offsets == right.offsets && left.rule == right.rule
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(starts)
    hasher.combine(offsets)
  }
}
