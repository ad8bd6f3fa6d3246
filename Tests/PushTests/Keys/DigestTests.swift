import Push
import Testing

@Suite("Digests and their letters")
struct DigestTests {
  /// Vectors of RFC 4648 and, with all digits, of `base64`.
  @Test(arguments: [
    ("", "", ""), ("f", "Zg==", "Zg"), ("fo", "Zm8=", "Zm8"), ("foo", "Zm9v", "Zm9v"),
    ("foob", "Zm9vYg==", "Zm9vYg"), ("fooba", "Zm9vYmE=", "Zm9vYmE"),
    ("foobar", "Zm9vYmFy", "Zm9vYmFy"), ("오늘??>", "7Jik64qYPz8+", "7Jik64qYPz8-"),
  ])
  func `bytes are written in base64, for a URL in other letters, and read again`(
    text: String, base64: String, forURL: String
  ) {
    #expect(Base64.text(text.utf8) == base64)
    #expect(Base64.urlText(text.utf8) == forURL)
    #expect(Base64.bytes(base64) == Array(text.utf8))
  }

  @Test(arguments: ["Zg=", "Zg===", "Z", "Zh==", "Zm9v Zg==", "Zm-v", "=", "Zg==Zg=="])
  func `what nobody writes in base64 is not read`(text: String) {
    #expect(Base64.bytes(text) == nil)
  }

  @Test func `a name is always the same UUID, of those that everybody makes as they like`() throws {
    #expect(try Digest.uuid("abc") == "ba7816bf-8f01-8fea-8141-40de5dae2223")
    #expect(try Digest.uuid("abc") == Digest.uuid("abc"))
    #expect(try Digest.uuid("abd") != Digest.uuid("abc"))
  }
}
