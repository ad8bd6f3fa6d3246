/// Reads text from left to right, a few bytes at a time.
struct TextReader {
  private var rest: Substring.UTF8View

  init(_ text: some StringProtocol) {
    rest = Substring(text).utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// The next character, not taken.
  var next: Character? {
    rest.first.map { Character(Unicode.Scalar($0)) }
  }

  /// Takes `character`, or leaves everything as it is and says false.
  mutating func take(_ character: Character) -> Bool {
    guard let byte = rest.first, byte == character.asciiValue else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes all the letters (or whatever else `isWanted` likes) that come next.
  mutating func take(while isWanted: (UInt8) -> Bool) -> String {
    let taken = rest.prefix(while: isWanted)
    rest = rest[taken.endIndex...]
    return String(Substring(taken))
  }

  /// Takes a whole number of at least one ASCII digit, as many as are there up to `digits`.
  mutating func number(digits: ClosedRange<Int>) -> Int? {
    let taken = rest.prefix(digits.upperBound).prefix { (48...57).contains($0) }
    guard taken.count >= digits.lowerBound else { return nil }
    rest = rest[taken.endIndex...]
    return taken.reduce(0) { $0 * 10 + Int($1 - 48) }
  }
}
