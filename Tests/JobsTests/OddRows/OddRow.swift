import TestSupport

/// A row that is odd in some columns, and like any other in the rest.
struct OddRow: Sendable {
  let table: String

  /// The odd values, as SQL, by column.
  let odd: [(column: String, value: String)]

  /// Which of the odd learners it is of: one who is like any other but for this, or one who is odd as well.
  let isOfOddLearner: Bool

  /// What it is, in a few words.
  var name: String {
    let values = odd.map { "\($0.column) = \($0.value.count > 60 ? "…" : $0.value)" }
    return "\(table).\(values.joined(separator: ", "))\(isOfOddLearner ? " of an odd learner" : "")"
  }
}

extension OddRow {
  /// Every odd value of every column of a table by itself; of all columns of a type together; of all that are times, or
  /// whatever; and some columns that chance has put together.
  static func all(of columns: [AppColumn], seed: UInt64) -> [OddRow] {
    guard let table = columns.first?.table else { return [] }
    var random = SplitMix(state: seed)
    let own = columns.filter { $0.references == nil }
    let alone = own.flatMap { column in
      OddValues.of(column).map { [(column: column.name, value: $0)] }
    }
    let mixed = (0..<40).map { _ in chance(own, &random) }
    return (alone + together(own) + mixed).enumerated().map { index, odd in
      OddRow(table: table, odd: odd, isOfOddLearner: index.isMultiple(of: 3))
    }
  }

  /// The least, the greatest and so on of all columns of a type, of all times, and of all columns.
  private static func together(_ columns: [AppColumn]) -> [[(column: String, value: String)]] {
    let types = Set(columns.map(\.type)).sorted().map { type in columns.filter { $0.type == type } }
    let groups = types.filter { $0.count > 1 } + [columns.filter(\.isTime), columns]
    return groups.flatMap { group in
      (0..<6).map { place in
        group.compactMap { column in
          let values = OddValues.of(column)
          return place < values.count ? (column: column.name, value: values[place]) : nil
        }
      }
    }
  }

  private static func chance(
    _ columns: [AppColumn], _ random: inout SplitMix
  ) -> [(column: String, value: String)] {
    columns.shuffled(using: &random).prefix(Int.random(in: 2...4, using: &random))
      .compactMap { column in
        OddValues.of(column).randomElement(using: &random).map { (column: column.name, value: $0) }
      }
  }
}
