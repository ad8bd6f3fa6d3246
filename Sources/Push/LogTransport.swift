/// Writes pushes down instead of sending them: for demonstrations, rehearsals and the first days of a
/// new installation.
public struct LogTransport: PushTransport {
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
  public init(write: @escaping @Sendable (String) -> Written) {
    self.write = write
  }

  public func send(_ pushes: [PushMessage]) -> [Delivery] {
    let lines = pushes.map { $0.line + "\n" }
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
  fileprivate var line: String {
    "push id=\(id.quoted) to=\(provider.rawValue) token=\(token) expires_at=\(expiresAt)"
      + " title=\(title.quoted) body=\(body.quoted) link=\(link.quoted)"
  }
}

extension String {
  /// The text in quotes, on one line; most texts need no more than the quotes.
  fileprivate var quoted: String {
    utf8.allSatisfy { $0.standsForItself } ? "\"\(self)\"" : debugDescription
  }
}

extension UInt8 {
  /// Whether it is a character of ASCII that can be seen, and neither a quote nor a backslash.
  fileprivate var standsForItself: Bool {
    (0x20..<0x7F).contains(self) && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
  }
}
