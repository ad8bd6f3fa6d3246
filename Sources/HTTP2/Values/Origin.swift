/// The server that a pool talks to.
public struct Origin: Sendable, Hashable {
  /// The name that its certificate must show.
  public let host: String
  public let port: UInt16

  /// Where it is, when that is not what its name says.
  public let address: String?

  /// The file of the authorities to believe; those of this machine when nil.
  public let authorities: String?

  public init(host: String, port: UInt16 = 443, address: String? = nil, authorities: String? = nil)
  {
    (self.host, self.port, self.address, self.authorities) = (host, port, address, authorities)
  }

  /// What HTTP/2 calls `:authority`.
  var authority: String {
    let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return port == 443 ? name : "\(name):\(port)"
  }
}
