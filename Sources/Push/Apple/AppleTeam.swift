public import LocalTime

/// A team of developers at Apple, and the key with which it proves who it is.
public struct AppleTeam: Sendable {
  private let id: String
  private let keyID: String
  private let key: SigningKey

  /// A team by what Apple calls it and its key: ten capital letters and digits each.
  public init(id: String, keyID: String, key: SigningKey) throws(AppleTeamError) {
    guard Self.isName(id) else { throw .noTeam(id) }
    guard Self.isName(keyID) else { throw .noKeyID(keyID) }
    self.id = id
    self.keyID = keyID
    self.key = key
  }

  /// The file in `folder` that keeps the team's token, for the processes of one host.
  public func file(in folder: String) -> AppleTokenFile? {
    AppleTokenFile(in: folder, team: id, keyID: keyID, key: key.pem)
  }

  /// A token that Apple takes for an hour from `now` on.
  public func mint(at now: Instant) throws(SigningKeyError) -> Secret {
    Secret(
      try WebToken.text(
        header: "{\"alg\":\"ES256\",\"kid\":\(keyID.inJSON)}",
        claims: "{\"iss\":\(id.inJSON),\"iat\":\(now.secondsSince1970)}", signedWith: key))
  }

  private static func isName(_ text: String) -> Bool {
    text.utf8.count == 10
      && text.utf8.allSatisfy {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
  }
}

/// Why something is no team at Apple.
public enum AppleTeamError: Error, Sendable, Equatable {
  case noTeam(String)
  case noKeyID(String)
}

extension AppleTeamError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noTeam(let id):
      "'\(id)' is no team of Apple: write the ten letters and digits of its membership page"
    case .noKeyID(let id):
      "'\(id)' is no key of Apple: write the ten letters and digits in the name of its file, AuthKey_….p8"
    }
  }
}
