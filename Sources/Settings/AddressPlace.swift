/// Where the address of a receiver stands: in the settings, or, when it is a secret, in a file.
public enum AddressPlace: Sendable, Hashable {
  case settings(WebAddress)
  case file(String)
}

extension AddressPlace: CustomStringConvertible {
  /// Its host, or its file: what may be shown.
  public var description: String {
    switch self {
    case .settings(let address): address.description
    case .file(let path): path
    }
  }
}
