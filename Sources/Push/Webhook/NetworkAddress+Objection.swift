public import Web

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
