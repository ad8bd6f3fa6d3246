/// Writes pushes down instead of sending them: for demonstrations, rehearsals and the first days of a
/// new installation.
public struct LogTransport: PushTransport {
  private let line: @Sendable (PushMessage) -> String
  private let write: @Sendable (String) -> Written

  /// How much of a text was written.
  public struct Written: Sendable {
    let bytes: Int
    let failure: String?

    /// All of it.
    public static func whole(_ text: String) -> Written {
      Written(bytes: text.utf8.count, failure: nil)
    }

    /// No more than so many bytes.
    public static func part(_ bytes: Int, because failure: String) -> Written {
      Written(bytes: bytes, failure: failure)
    }
  }

  /// A transport that hands pushes to `write`, one a line, all that are sent at once in one text.
  ///
  /// What stands on the line is for `line` to say; else it is all that a learner would see.
  public init(
    line: @escaping @Sendable (PushMessage) -> String = { $0.line },
    write: @escaping @Sendable (String) -> Written
  ) {
    self.line = line
    self.write = write
  }

  public func send(_ pushes: [PushMessage]) -> [Delivery] {
    let lines = pushes.map { line($0) + "\n" }
    let written = write(lines.joined())
    let reason = written.failure ?? ""
    var end = 0
    return lines.map { line in
      let start = end
      end += line.utf8.count
      if end <= written.bytes { return .sent }
      // Whoever reads half a line may take it for a push.
      return start < written.bytes ? .uncertain(reason) : .notSent(reason)
    }
  }
}

extension PushMessage {
  /// The push as one line of words, texts in quotes, and no more of the token than tells devices apart.
  public var line: String {
    "push id=\(id.quoted) to=\(provider.rawValue) token=\(token) expires_at=\(expiresAt)"
      + " title=\(title.quoted) body=\(body.quoted) link=\(link.quoted)"
  }
}

extension String {
  /// The text in quotes, on one line; most texts need no more than the quotes.
  fileprivate var quoted: String {
    guard !utf8.allSatisfy(\.standsForItself) else { return "\"\(self)\"" }
    return "\"" + unicodeScalars.map(\.quoted).joined() + "\""
  }
}

extension Unicode.Scalar {
  /// The character between quotes; what shows nothing and changes how others are shown is spelt out.
  fileprivate var quoted: String {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: escaped(asASCII: true)
    // Emoji and whole languages are written with the two joiners.
    case .format: value == 0x200C || value == 0x200D ? String(self) : escaped(asASCII: true)
    default: self == "\"" || self == "\\" ? "\\\(self)" : String(self)
    }
  }
}

extension UInt8 {
  /// Whether it is a part of nothing that is shown otherwise: of a character of ASCII that can be seen, and is
  /// neither a quote nor a backslash, or of one that begins as Hangul does.
  fileprivate var standsForItself: Bool {
    switch self {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): false
    case 0x20..<0x7F, 0x80...0xBF, 0xEA...0xED: true
    default: false
    }
  }
}
