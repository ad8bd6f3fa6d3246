internal import COpenSSL

/// The one place of Swift that calls libcrypto.
enum Libcrypto {
  /// Whether the library is installed; all else here is asked only where it is.
  static let isThere = crypto_is_there() == 1

  /// What a text in PEM holds.
  static func kind(of pem: [UInt8]) -> crypto_kind {
    unsafe crypto_kind_of(pem, pem.count)
  }

  /// Signs with a P-256 key: 64 bytes, or nothing when the text holds no such key.
  static func es256(_ text: [UInt8], with pem: [UInt8]) -> [UInt8]? {
    var signature = [UInt8](repeating: 0, count: 64)
    let isSigned = unsafe crypto_es256(pem, pem.count, text, text.count, &signature)
    return isSigned == 1 ? signature : nil
  }

  /// Signs with an RSA key, or nothing when the text holds no such key.
  static func rs256(_ text: [UInt8], with pem: [UInt8]) -> [UInt8]? {
    var signature = [UInt8](repeating: 0, count: longestSignature)
    let count = unsafe crypto_rs256(pem, pem.count, text, text.count, &signature, longestSignature)
    return count > 0 ? Array(signature[..<count]) : nil
  }

  static func hmac(_ text: [UInt8], with key: [UInt8]) -> [UInt8]? {
    var hash = [UInt8](repeating: 0, count: 32)
    let isMade = unsafe crypto_hmac_sha256(key, key.count, text, text.count, &hash)
    return isMade == 1 ? hash : nil
  }

  static func sha256(_ text: [UInt8]) -> [UInt8]? {
    var hash = [UInt8](repeating: 0, count: 32)
    return unsafe crypto_sha256(text, text.count, &hash) == 1 ? hash : nil
  }

  /// That of an RSA key of 16384 bits.
  private static let longestSignature = 2048
}
