import Glibc
import LocalTime
import TestSupport
import Testing

@testable import Push

/// What others make of our signatures: Tests/oracles/signatures.py.
@Suite("Signatures as others verify them")
struct SignatureOracleTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// What the libraries say, line by line.
  private func verified() throws -> [String] {
    let output = "\(folder.path)/output"
    let program = try ChildProcess(
      ".build/oracles/python/bin/python", ["Tests/oracles/signatures.py", folder.path],
      output: output)
    let status = try program.status(within: .seconds(120))
    let text = try TextFile.read(output)
    #expect(status == 0, "\(text)")
    return text.split(separator: "\n").map(String.init)
  }

  private static let secrets = [
    "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  ]

  private func write(_ push: PushMessage, at now: Instant) throws {
    try folder.write(try TestKeys.team().mint(at: now).text ?? "", to: "apple.jwt")
    try folder.write(try TestKeys.apple.get().publicKey, to: "apple.pub")
    let account = try ServiceAccount(TestKeys.account())
    try folder.write(try account.assertion(at: now).text ?? "", to: "google.jwt")
    try folder.write(try TestKeys.google.get().publicKey, to: "google.pub")
    let terms = WebhookTerms(
      secrets: try WebhookSecrets(Secret(Self.secrets.joined(separator: "\n"))))
    let request = try terms.request(push, at: now)
    let headers = request.headers.map { "\"\($0.name)\":\($0.value.inJSON)" }
    try folder.write(
      "{\"secrets\":[\"\(Self.secrets.joined(separator: "\",\""))\"],\"body\":\(request.body.inJSON)"
        + ",\"headers\":{\(headers.joined(separator: ","))}}", to: "webhook.json")
  }

  @Test func `three libraries take our tokens, and two our webhooks by either secret`() throws {
    // They look at their own clock.
    let second = time(nil)
    let push = PushMessage(
      id: "7/2026-03-08", provider: .webhook, token: PushToken("https://example.org"),
      title: "Day 5", body: "오늘", link: "app://x", expiresAt: second + 3600)
    try write(push, at: Instant(secondsSince1970: second))

    let lines = try verified()

    let apple = #"{"iat": \#(second), "iss": "TEAM123456"}"#
    let google =
      #"{"aud": "https://oauth2.example/token", "exp": \#(second + 3600), "iat": \#(second), "#
      + #""iss": "push@learning-app.example", "#
      + #""scope": "https://www.googleapis.com/auth/firebase.messaging"}"#
    #expect(
      lines.prefix(7) == [
        "PyJWT \(apple)", #"PyJWT header {"alg": "ES256", "kid": "KEY1234567"}"#,
        "joserfc \(apple)",
        "google-auth \(google)",
        #"google header {"alg": "RS256", "kid": "0123456789abcdef", "typ": "JWT"}"#,
        "PyJWT \(google)", "joserfc \(google)",
      ])
    let webhooks = lines.dropFirst(7)
    #expect(
      webhooks.map { $0.prefix { $0 != " " } }
        == ["standardwebhooks", "svix", "standardwebhooks", "svix"])
    #expect(webhooks.filter { $0.contains(#""title": "Day 5""#) }.count == 2)
  }
}
