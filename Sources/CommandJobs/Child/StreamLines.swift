/// One stream of a program, cut where its lines end.
struct StreamLines {
  /// The beginning of a line whose end has not come yet.
  private var rest: [UInt8] = []

  /// How many bytes of a line are heard at once: a longer one comes in pieces.
  static let longest = 1024

  /// Takes in what was read; gives all lines that are whole, and of one that is too long what there is of it.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    rest += bytes
    let end = rest.lastIndex(of: Self.newline).map { $0 + 1 } ?? 0
    let count = rest.count - end < Self.longest ? end : Self.wholeCharacters(rest[...])
    defer { rest.removeFirst(count) }
    return Array(rest.prefix(count))
  }

  /// What is left of it.
  mutating func takeRest() -> [UInt8] {
    defer { rest = [] }
    return rest
  }

  /// Takes the first line off, or a piece of a long one; gives it without its end.
  static func removeFirstLine(of lines: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let first = lines.prefix(longest + 1)
    if let end = first.firstIndex(of: newline) {
      defer { lines = lines[(end + 1)...] }
      return lines[..<end]
    }
    let isWhole = lines.count <= longest
    let count = isWhole ? lines.count : wholeCharacters(first.dropLast())
    defer { lines = lines.dropFirst(count) }
    return lines.prefix(count)
  }

  /// How many bytes there are before a character of UTF-8 whose end is missing.
  private static func wholeCharacters(_ bytes: ArraySlice<UInt8>) -> Int {
    let continued = bytes.suffix(3).reversed().prefix { $0 & 0xC0 == 0x80 }.count
    guard let lead = bytes.dropLast(continued).last else { return bytes.count }
    let wanted = lead < 0xC0 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3
    return continued < wanted ? bytes.count - continued - 1 : bytes.count
  }

  private static let newline = UInt8(ascii: "\n")
}
