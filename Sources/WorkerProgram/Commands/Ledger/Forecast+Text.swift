internal import Config
internal import Jobs

extension Forecast {
  /// The forecast for people: a sentence, and a table for each of its charts.
  func text(in style: Style, withBars: Bool) -> String {
    let charts = charts.map(\.withoutEmptyEnds).filter { !$0.bars.isEmpty }
    let tables = charts.map { $0.text(in: style, withBars: withBars) }
    let heading = heading.split(separator: "\n").map {
      style.fitted(String($0).withVisibleControls, behind: "")
    }
    return ([heading.joined(separator: "\n")] + tables).joined(separator: "\n\n")
  }
}

extension Forecast.Chart {
  /// The same without the hours before the first that has something, and behind the last.
  fileprivate var withoutEmptyEnds: Forecast.Chart {
    guard isOfTime else { return self }
    let begun = bars.drop { $0.count == 0 }
    let end = (begun.lastIndex { $0.count > 0 }).map { $0 + 1 } ?? begun.startIndex
    return Forecast.Chart(title, bars: Array(begun[..<end]))
  }

  /// How long the longest bar is, where there is room for it.
  private static let longest = 40

  /// Shorter ones tell nothing that the numbers do not.
  private static let shortest = 8

  fileprivate func text(in style: Style, withBars: Bool) -> String {
    isOfTime
      ? timeTable(withBars ? style.width : 0).text(in: style)
      : table(withBars ? style.width : 0).text(in: style)
  }

  private func table(_ width: Int?) -> Table {
    var table = Table(Table.Column(title), "learners", "")
    let scale = scale(beside: ["learners"], in: width)
    for bar in bars { table.add(bar.label, "\(bar.count)", scale.drawn([(bar.count, "█")])) }
    return table
  }

  private func timeTable(_ width: Int?) -> Table {
    let kinds = Self.kinds.filter { kind in bars.contains { kind.count(of: $0) > 0 } }
    let hasOver = bars.contains(where: \.isOver)
    let scale = scale(beside: kinds.map(\.name) + (hasOver ? ["over"] : []), in: width)
    let drawn = kinds.map { Table.Column(scale.length > 0 ? "\($0.name) \($0.mark)" : $0.name) }
    var table = Table([Table.Column(title)] + drawn + (hasOver ? ["", ""] : [""]))
    for bar in bars {
      table.add(
        [bar.label] + kinds.map { "\($0.count(of: bar))" }
          + (hasOver ? [bar.isOver ? "over" : ""] : [])
          + [scale.drawn(kinds.map { ($0.count(of: bar), $0.mark) })])
    }
    return table
  }

  /// What a bar of time is made of; what no bar has gets no column.
  private struct Kind {
    let name: String
    let mark: String
    let part: any KeyPath<Forecast.Share, Int> & Sendable

    func count(of bar: Forecast.Bar) -> Int { bar.share?[keyPath: part] ?? 0 }
  }

  private static let kinds = [
    Kind(name: "so far", mark: "█", part: \.soFar),
    Kind(name: "to come", mark: "░", part: \.toCome),
    Kind(name: "too late", mark: "·", part: \.tooLate),
  ]

  /// How long bars are that stand in the last column of a table.
  private func scale(beside columns: [String], in width: Int?) -> Scale {
    let first = max(title.count, bars.map(\.label.count).max() ?? 0)
    // Each column is followed by two blanks, a mark's name by the mark, and what is small is drawn all the same.
    let taken = columns.reduce(first + 4) { $0 + $1.count + 4 }
    let room = min(Self.longest, (width ?? .max) - taken)
    return Scale(
      length: room < Self.shortest ? 0 : room, most: max(1, bars.map(\.count).max() ?? 1))
  }

  private struct Scale {
    /// How long the bar of the most is; nothing is drawn with none.
    let length: Int
    let most: Int

    /// A bar of pieces one after the other: whatever is there at all is seen.
    func drawn(_ pieces: [(count: Int, mark: String)]) -> String {
      guard length > 0 else { return "" }
      let sum = pieces.reduce(0) { $0 + $1.count }
      guard sum > 0 else { return "" }
      let ends = max(1, Int(Double(sum) / Double(most) * Double(length)))
      var (drawn, done, bar) = (0, 0, "")
      for (count, mark) in pieces where count > 0 {
        done += count
        let end = max(drawn + 1, ends * done / sum)
        bar += String(repeating: mark, count: end - drawn)
        drawn = end
      }
      return bar
    }
  }
}
