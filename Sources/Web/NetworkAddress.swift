/// An address of the internet, of either kind.
public struct NetworkAddress: Sendable, Hashable {
  /// Four bytes or sixteen.
  public let bytes: [UInt8]

  public init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Where a machine calls itself.
  public static let loopback4 = NetworkAddress(unchecked: [127, 0, 0, 1])
  public static let loopback6 = NetworkAddress(
    unchecked: [UInt8](repeating: 0, count: 15) + [1])

  private init(unchecked bytes: [UInt8]) { self.bytes = bytes }
}

extension NetworkAddress {
  /// Whether only this machine can have sent from there, or listen there.
  public var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : self == .loopback6
  }

  /// The IPv4 address that an IPv6 socket shows as ::ffff:10.0.0.1; nothing for any other.
  public var mapped: NetworkAddress? {
    guard bytes.count == 16, bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] else {
      return nil
    }
    return NetworkAddress(bytes: Array(bytes.suffix(4)))
  }
}

extension NetworkAddress: CustomStringConvertible {
  /// The address as RFC 5952 writes it: 127.0.0.1, 2001:db8::1.
  public var description: String {
    guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
    let groups = stride(from: 0, to: 16, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
    func written(_ groups: some Sequence<Int>) -> String {
      groups.map { String($0, radix: 16) }.joined(separator: ":")
    }
    guard let gap = Self.longestGap(in: groups) else { return written(groups) }
    return written(groups[..<gap.lowerBound]) + "::" + written(groups[gap.upperBound...])
  }

  /// The first of the longest rows of zeros, if it has two or more.
  private static func longestGap(in groups: [Int]) -> Range<Int>? {
    var longest = 0..<1
    for start in groups.indices {
      let end = groups[start...].firstIndex { $0 != 0 } ?? groups.endIndex
      if end - start > longest.count { longest = start..<end }
    }
    return longest.count > 1 ? longest : nil
  }
}

extension NetworkAddress {
  /// Reads an address that is written in full, or with one gap of `::`, and with four numbers at its end or not.
  public init?(_ text: some StringProtocol) {
    if let four = Self.four(text) {
      self.init(bytes: four)
      return
    }
    guard let gap = Self.gap(in: Array(text.utf8)) else {
      guard let all = Self.groups(text, mayBeNone: false), all.count == 16 else { return nil }
      self.init(bytes: all)
      return
    }
    let (head, tail) = (text.utf8.prefix(gap), text.utf8.dropFirst(gap + 2))
    guard let front = Self.groups(String(decoding: head, as: UTF8.self), mayBeNone: true),
      let back = Self.groups(String(decoding: tail, as: UTF8.self), mayBeNone: true),
      front.count + back.count <= 14
    else { return nil }
    self.init(
      bytes: front + [UInt8](repeating: 0, count: 16 - front.count - back.count) + back)
  }

  private static func gap(in text: [UInt8]) -> Int? {
    text.indices.dropLast().first { text[$0] == 0x3A && text[$0 + 1] == 0x3A }
  }

  private static func four(_ text: some StringProtocol) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    // A leading zero is octal to some.
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (48...57).contains($0) } && (part == "0" || !part.hasPrefix("0"))
        ? UInt8(part) : nil
    }
    return parts.count == 4 && numbers.count == 4 ? numbers : nil
  }

  private static func groups(_ text: some StringProtocol, mayBeNone: Bool) -> [UInt8]? {
    if text.isEmpty { return mayBeNone ? [] : nil }
    var bytes: [UInt8] = []
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index == parts.count - 1, let four = four(part) {
        bytes += four
        continue
      }
      guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit),
        let number = UInt16(part, radix: 16)
      else { return nil }
      bytes += [UInt8(number >> 8), UInt8(number & 0xFF)]
    }
    return bytes
  }
}
