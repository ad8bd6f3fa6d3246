internal import Config

/// The last of what a program prints, as a text that a database takes.
struct OutputTail {
  /// How many bytes of it are kept.
  static let most = 65_536

  private var bytes: [UInt8] = []

  mutating func append(_ more: ArraySlice<UInt8>) {
    bytes += more
    // Not at every write, each of which would move all that is kept.
    if bytes.count > Self.most * 2 { bytes.removeFirst(bytes.count - Self.most) }
  }

  /// Valid UTF-8 without NUL; what is not valid stands there as U+FFFD, which may push the oldest out.
  var text: String {
    // The first bytes may be the end of a character whose beginning is gone.
    let whole = bytes.suffix(Self.most)
    let isCut = whole.startIndex > 0
    let begin = isCut ? whole.prefix(3).prefix { $0 & 0xC0 == 0x80 }.count : 0
    let text = String(decoding: whole.dropFirst(begin), as: UTF8.self)
      .replacing("\0", with: "\u{FFFD}")
    var excess = text.utf8.count - Self.most
    let kept = text.unicodeScalars.drop { scalar in
      guard excess > 0 else { return false }
      excess -= UTF8.width(scalar)
      return true
    }
    return String(String.UnicodeScalarView(kept))
  }

  /// The last line that says something, short enough for a sentence; nothing where there is none.
  var lastLine: String? {
    let line = text.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
    return line.map { String($0.suffix(Self.mostOfALine)).withVisibleControls }
  }

  private static let mostOfALine = 300
}
