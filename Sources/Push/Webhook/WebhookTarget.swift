public import Web

/// Which webhooks may be reached.
public struct WebhookLimits: Sendable, Equatable {
  /// Ports beside 443.
  public let ports: Set<Int>

  /// Networks of the operator's own, whose addresses are no strangers.
  public let networks: [Network]

  public init(ports: Set<Int> = [], networks: [Network] = []) {
    self.ports = ports
    self.networks = networks
  }
}

/// A webhook that somebody registered: a stranger's text, which must not lead into our own network.
public struct WebhookTarget: Sendable, Equatable {
  public let host: String
  public let port: Int
  private let limits: WebhookLimits

  /// The target of a URL; throws when the URL can be none, so that it is not tried again.
  public init(_ url: PushToken, within limits: WebhookLimits) throws(Unsendable) {
    guard let parts = Parts(url.secret) else {
      throw Self.gone("its address is no URL that begins with https://")
    }
    guard parts.port == 443 || limits.ports.contains(parts.port) else {
      throw Unsendable(.rejected("its address has the port \(parts.port), which is not allowed"))
    }
    (host, port, self.limits) = (parts.host, parts.port, limits)
  }

  /// The addresses to which a connection may be made, of those that the name has; throws when any is one of
  /// our own network: a name that has such is not asked by another of them.
  public func check(_ addresses: [NetworkAddress]) throws(Unsendable) {
    guard !addresses.isEmpty else {
      throw Unsendable(.notSent("its host's name has no address now"))
    }
    let strangers = addresses.filter { address in
      !limits.networks.contains { $0.contains(address) }
    }
    guard let objection = strangers.lazy.compactMap(\.objection).first else { return }
    throw Unsendable(.rejected("its address leads to \(objection)"))
  }

  private static func gone(_ reason: String) -> Unsendable { Unsendable(.refused(reason)) }

  /// What a URL consists of, as far as it matters.
  private struct Parts {
    let host: String
    let port: Int

    init?(_ url: String) {
      let scheme = "https://"
      guard url.utf8.count <= 2048, url.lowercased().hasPrefix(scheme),
        url.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && !Self.isOdd($0) })
      else { return nil }
      let authority = url.dropFirst(scheme.count).prefix { !"/?".contains($0) }
      let isLiteral = authority.hasPrefix("[")
      let end = isLiteral ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : nil
      let host = authority[..<(end ?? authority.firstIndex(of: ":") ?? authority.endIndex)]
      let rest = authority[host.endIndex...]
      guard Self.isHost(host), let port = Self.port(rest) else { return nil }
      self.host = isLiteral ? String(host.dropFirst().dropLast()) : host.lowercased()
      self.port = port
    }

    /// What is read one way by some and another way by others.
    private static func isOdd(_ byte: UInt8) -> Bool {
      [UInt8(ascii: "\\"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "<")].contains(byte)
    }

    private static func isHost(_ host: Substring) -> Bool {
      if host.hasPrefix("[") {
        return host.hasSuffix("]") && NetworkAddress(host.dropFirst().dropLast())?.bytes.count == 16
      }
      return (1...253).contains(host.utf8.count) && !host.hasPrefix(".") && !host.contains("..")
        && host.utf8.allSatisfy { byte in
          (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
    }

    private static func port(_ text: Substring) -> Int? {
      if text.isEmpty { return 443 }
      guard text.hasPrefix(":"), let port = Int(text.dropFirst()), (1...65_535).contains(port),
        String(port) == text.dropFirst()
      else { return nil }
      return port
    }
  }
}

extension NetworkAddress {
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
