/// An address of the internet, of either kind.
public struct NetworkAddress: Sendable, Hashable {
  /// Four bytes or sixteen.
  public let bytes: [UInt8]

  public init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// What a webhook must not reach: none of the internet's, by what such are for; nothing for one that it may.
  public var objection: String? {
    Self.refused.first { $0.network.contains(self) }?.what
      ?? (bytes.count == 16 && bytes[0] & 0xE0 != 0x20 ? "an address that nobody has" : nil)
  }

  private static let refused: [(network: Network, what: String)] = [
    ("0.0.0.0/8", "this host"), ("10.0.0.0/8", "a private address"),
    ("100.64.0.0/10", "a carrier's inner address"), ("127.0.0.0/8", "this host"),
    ("169.254.0.0/16", "a link-local address"), ("172.16.0.0/12", "a private address"),
    ("192.0.0.0/24", "a reserved address"), ("192.0.2.0/24", "an address of examples"),
    ("192.88.99.0/24", "a reserved address"), ("192.168.0.0/16", "a private address"),
    ("198.18.0.0/15", "an address of benchmarks"), ("198.51.100.0/24", "an address of examples"),
    ("203.0.113.0/24", "an address of examples"), ("224.0.0.0/4", "an address of many"),
    ("240.0.0.0/4", "a reserved address"), ("::/128", "this host"), ("::1/128", "this host"),
    ("::ffff:0.0.0.0/96", "an IPv4 address as IPv6"), ("::/96", "an IPv4 address as IPv6"),
    ("64:ff9b::/96", "an IPv4 address behind NAT64"),
    ("64:ff9b:1::/48", "an IPv4 address behind NAT64"), ("100::/64", "a reserved address"),
    ("2001::/23", "a reserved address"), ("2001:db8::/32", "an address of examples"),
    ("2002::/16", "an IPv4 address as IPv6"), ("3fff::/20", "an address of examples"),
    ("fc00::/7", "a private address"), ("fe80::/10", "a link-local address"),
    ("fec0::/10", "a private address"), ("ff00::/8", "an address of many"),
  ].compactMap { text, what in Network(text).map { ($0, what) } }
}

extension NetworkAddress: CustomStringConvertible {
  /// The address as others write it, if not as short as they could: 127.0.0.1, 2001:db8:0:0:0:0:0:1.
  public var description: String {
    guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2).map {
      String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16)
    }.joined(separator: ":")
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
