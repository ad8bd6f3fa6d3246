/// Why a request has no answer; never says to which address it went, because that may be a secret.
public enum WebFailure: Error, Sendable, Equatable {
  case noLibrary
  case unusable
  case unanswered(String)
}

extension WebFailure: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noLibrary: "libcurl is missing: install the package libcurl4"
    case .unusable: "the request cannot be made: is the address a URL?"
    case .unanswered(let why): why
    }
  }
}
