internal import COpenSSL

/// A private key that was read once and found fit for what it is to sign.
public struct SigningKey: Sendable {
  /// What signs a provider's tokens.
  public enum Algorithm: Sendable {
    /// Apple's: a key on the curve P-256.
    case es256

    /// Google's: an RSA key.
    case rs256
  }

  let pem: Secret
  private let algorithm: Algorithm

  /// The key that a text in PEM holds.
  public init(pem: Secret, for algorithm: Algorithm) throws(SigningKeyError) {
    guard Libcrypto.isThere else { throw .noLibrary }
    switch (Libcrypto.kind(of: pem.bytes), algorithm) {
    case (CRYPTO_P256_KEY, .es256), (CRYPTO_RSA_KEY, .rs256): break
    case (CRYPTO_NO_KEY, _): throw .noKey
    case (CRYPTO_LOCKED_KEY, _): throw .locked
    case (CRYPTO_SHORT_RSA_KEY, .rs256): throw .short
    default: throw .ofAnotherKind(wanted: algorithm)
    }
    self.pem = pem
    self.algorithm = algorithm
  }

  /// The signature of a text, as JSON Web Tokens want it.
  func sign(_ text: [UInt8]) throws(SigningKeyError) -> [UInt8] {
    let signature =
      switch algorithm {
      case .es256: Libcrypto.es256(text, with: pem.bytes)
      case .rs256: Libcrypto.rs256(text, with: pem.bytes)
      }
    guard let signature else { throw .failed }
    return signature
  }
}

/// Why a key signs nothing; never says what stands in it.
public enum SigningKeyError: Error, Sendable, Equatable {
  case noLibrary
  case noKey
  case locked
  case short
  case ofAnotherKind(wanted: SigningKey.Algorithm)
  case failed
}

extension SigningKeyError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noLibrary: "libcrypto is missing: install the package libssl3"
    case .noKey: "it holds no private key: give the file as the provider made it, in PEM"
    case .locked: "its private key is locked by a password: give it without one, in mode 0600"
    case .short: "its RSA key has fewer than 2048 bits: make a new key at the provider"
    case .ofAnotherKind(.es256):
      "its key is no P-256 key: give Apple's file for push notifications, AuthKey_….p8"
    case .ofAnotherKind(.rs256): "its key is no RSA key: give Google's file of a service account"
    case .failed: "libcrypto could not sign with it: does the host have memory left?"
    }
  }
}
