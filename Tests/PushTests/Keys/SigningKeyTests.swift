import Push
import TestSupport
import Testing

@Suite("A signing key")
struct SigningKeyTests {
  private func refusal(_ pem: String, for algorithm: SigningKey.Algorithm) -> String? {
    do throws(SigningKeyError) {
      _ = try SigningKey(pem: Secret(pem), for: algorithm)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `a key of the kind that its provider gives is taken`() throws {
    #expect(refusal(try TestKeys.apple.get().key, for: .es256) == nil)
    #expect(refusal(try TestKeys.google.get().key, for: .rs256) == nil)
  }

  @Test(arguments: ["", "no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
  func `a text without a key is refused`(text: String) {
    #expect(
      refusal(text, for: .es256)
        == "it holds no private key: give the file as the provider made it, in PEM")
  }

  @Test func `a key of another kind is refused, and the one that is wanted is named`() throws {
    let other = try TestKeys.pair(
      "other", ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"])

    let words = "its key is no P-256 key: give Apple's file for push notifications, AuthKey_….p8"
    #expect(refusal(try TestKeys.google.get().key, for: .es256) == words)
    #expect(refusal(other.key, for: .es256) == words)
    #expect(
      refusal(try TestKeys.apple.get().key, for: .rs256)
        == "its key is no RSA key: give Google's file of a service account")
    #expect(
      refusal(try TestKeys.apple.get().publicKey, for: .es256)
        == "it holds no private key: give the file as the provider made it, in PEM")
  }

  @Test func `a short RSA key is refused`() throws {
    let short = try TestKeys.pair(
      "short", ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"])

    #expect(
      refusal(short.key, for: .rs256)
        == "its RSA key has fewer than 2048 bits: make a new key at the provider")
  }

  @Test func `a key with a password is refused, and nobody is asked for it`() throws {
    let folder = try ScratchFolder()
    let open = try folder.write(try TestKeys.apple.get().key, to: "open")
    let locked = "\(folder.path)/locked"
    try ChildProcess.run(
      "/usr/bin/openssl", ["pkcs8", "-topk8", "-in", open, "-out", locked, "-passout", "pass:x"])

    #expect(
      refusal(try TextFile.read(locked), for: .es256)
        == "its private key is locked by a password: give it without one, in mode 0600")
  }
}
