/// All addresses that begin with the same bits, as in 10.0.0.0/8.
public struct Network: Sendable, Hashable {
  private let first: NetworkAddress
  private let bits: Int

  /// Reads an address, a slash and how many of its bits count; the others must be zero.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let first = NetworkAddress(parts[0]), let bits = Int(parts[1]),
      (0...first.bytes.count * 8).contains(bits), String(bits) == parts[1],
      Self.masked(first.bytes, to: bits) == first.bytes
    else { return nil }
    self.first = first
    self.bits = bits
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
