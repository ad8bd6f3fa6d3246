/// Numbers as a setting has them: in one text, with spaces between.
struct NumberList {
  let numbers: [Int]

  /// Reads the numbers; nothing when a word is none, or one comes twice.
  init?(_ text: String) {
    let words = text.split(separator: " ")
    numbers = words.compactMap { Int($0) }
    guard numbers.count == words.count, Set(numbers).count == numbers.count else { return nil }
  }

  func allSatisfy(in range: ClosedRange<Int>) -> Bool {
    numbers.allSatisfy(range.contains)
  }
}
