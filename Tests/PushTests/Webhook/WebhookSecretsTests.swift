import Push
import Testing

@Suite("The secrets of webhooks")
struct WebhookSecretsTests {
  private let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

  private func refusal(_ file: Secret) -> String? {
    do throws(WebhookSecretError) {
      _ = try WebhookSecrets(file)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `a signature is that of Standard Webhooks' own example`() throws {
    let signature = try WebhookSecrets(Secret(secret + "\n")).signature(
      of: #"{"test": 2432232314}"#, id: "msg_p5jXN8AQM9LWM0D4loKWxJek", second: 1_614_265_330)

    #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  }

  @Test func `while a secret is replaced there is a signature by each`() throws {
    let new = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    let both = try WebhookSecrets(Secret("\(new)\n\(secret)\n"))

    let signatures = try [both, WebhookSecrets(Secret(new)), WebhookSecrets(Secret(secret))].map {
      try $0.signature(of: "{}", id: "a", second: 1)
    }

    #expect(signatures[0] == "\(signatures[1]) \(signatures[2])")
    #expect(signatures[1] != signatures[2])
  }

  @Test(arguments: [
    "secret", "whsec_", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa",
    "WHSEC_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "whsec_not base64 at all but long enough to be", "whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "whsec_" + String(repeating: "A", count: 88),
  ])
  func `a line that is no secret is named by its number alone`(line: String) {
    #expect(
      refusal(Secret(secret + "\n" + line))
        == "its line 2 is no secret: write whsec_ and 24 to 64 bytes in base64, as "
        + "'echo whsec_$(openssl rand -base64 32)' makes them")
  }

  @Test func `no secret and three of them are refused`() {
    #expect(
      refusal(Secret("\n"))
        == "it holds 0 secrets: write one, or two while the first replaces the second")
    #expect(
      refusal(Secret("\(secret)\n\(secret)\n\(secret)"))
        == "it holds 3 secrets: write one, or two while the first replaces the second")
    #expect(refusal(Secret([0xFF])) == "it is not text")
  }
}
