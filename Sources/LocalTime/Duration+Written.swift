extension Duration {
  /// Reads "90s", "5m", "1h30m" or "2d": whole numbers with d, h, m and s, the longest unit first,
  /// or gives nothing when it is written in another way or is longer than a millennium.
  public init?(written text: String) {
    var rest = Substring(text).utf8
    var seconds = 0
    for (unit, length) in Self.units {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard !digits.isEmpty, rest.dropFirst(digits.count).first == unit else { continue }
      guard digits.count < 10, let count = Int(Substring(digits)) else { return nil }
      seconds += count * length
      rest = rest.dropFirst(digits.count + 1)
    }
    guard rest.isEmpty, !text.isEmpty, seconds <= 366_000 * 86_400 else { return nil }
    self = .seconds(seconds)
  }

  /// The duration as it is written in the settings, such as "1h30m"; fractions of a second are left
  /// out.
  public var written: String {
    var rest = components.seconds
    guard rest > 0 else { return "0s" }
    var text = ""
    for (unit, length) in Self.units where rest >= length {
      text += "\(rest / Int64(length))\(Unicode.Scalar(unit))"
      rest %= Int64(length)
    }
    return text
  }

  private static var units: [(unit: UInt8, seconds: Int)] {
    [
      (UInt8(ascii: "d"), 86_400), (UInt8(ascii: "h"), 3_600), (UInt8(ascii: "m"), 60),
      (UInt8(ascii: "s"), 1),
    ]
  }
}
