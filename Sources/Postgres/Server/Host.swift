/// One address at which a server may be: a name, a number or the folder of a socket.
struct Host: Sendable, Equatable {
  /// The name, by which TLS and the password file know the server; or the folder.
  var name: String

  /// The numeric address, when it is known.
  var address: String

  var port: String

  /// Whether the name is the folder of a unix socket.
  var isSocket: Bool {
    address.isEmpty && (name.hasPrefix("/") || name.hasPrefix("@"))
  }

  /// Whether an address must be found for the name first.
  var needsResolving: Bool {
    address.isEmpty && !name.isEmpty && !isSocket && !name.contains(":")
      && !name.allSatisfy { $0.isNumber || $0 == "." }
  }
}

extension Host: CustomStringConvertible {
  var description: String {
    let place = name.isEmpty ? (address.isEmpty ? "the default socket" : address) : name
    return place.contains(":") ? "[\(place)]:\(port)" : "\(place):\(port)"
  }
}
