/// All addresses that begin with the same bits, as in 10.0.0.0/8.
public struct Network: Sendable, Hashable {
  private let first: NetworkAddress
  private let bits: Int

  /// Reads an address, a slash and how many of its bits count; the others must be zero.
  public init?(_ text: some StringProtocol) {
    guard let (network, address) = Self.parts(of: text), network.first == address else {
      return nil
    }
    self = network
  }

  /// The network in which an address lies that is written with a slash and too many of its bits, as in 10.1.2.3/8.
  public static func around(_ text: some StringProtocol) -> Network? { parts(of: text)?.network }

  /// The network of a single address.
  public static func of(_ text: some StringProtocol) -> Network? {
    NetworkAddress(text).map { Network($0, $0.bytes.count * 8) }
  }

  private init(_ first: NetworkAddress, _ bits: Int) {
    self.first = first
    self.bits = bits
  }

  private static func parts(
    of text: some StringProtocol
  ) -> (network: Network, address: NetworkAddress)? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let address = NetworkAddress(parts[0]), let bits = Int(parts[1]),
      (0...address.bytes.count * 8).contains(bits), String(bits) == parts[1],
      let first = NetworkAddress(bytes: masked(address.bytes, to: bits))
    else { return nil }
    return (Network(first, bits), address)
  }

  /// The network of IPv4 that this one of IPv6 writes as ::ffff:10.0.0.0/104; nothing for any other.
  public var mapped: Network? {
    bits >= 96 ? first.mapped.map { Network($0, bits - 96) } : nil
  }

  public func contains(_ address: NetworkAddress) -> Bool {
    address.bytes.count == first.bytes.count
      && Self.masked(address.bytes, to: bits) == first.bytes
  }

  private static func masked(_ bytes: [UInt8], to bits: Int) -> [UInt8] {
    bytes.enumerated().map { place, byte in
      let kept = min(max(bits - place * 8, 0), 8)
      return kept == 0 ? 0 : byte & (0xFF << UInt8(8 - kept))
    }
  }
}

extension Network: CustomStringConvertible {
  public var description: String { "\(first)/\(bits)" }
}
