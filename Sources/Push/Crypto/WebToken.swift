/// A JSON Web Token: two documents and their signature.
enum WebToken {
  /// The token in which `key` signs `header` and `claims`, JSON documents both.
  static func text(
    header: String, claims: String, signedWith key: SigningKey
  ) throws(SigningKeyError) -> String {
    let signed = "\(Base64.urlText(header.utf8)).\(Base64.urlText(claims.utf8))"
    return signed + "." + Base64.urlText(try key.sign(Array(signed.utf8)))
  }
}
