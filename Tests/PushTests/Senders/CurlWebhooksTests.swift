import Push
import TestSupport
import Testing
import Web

@Suite("Webhooks by libcurl")
struct CurlWebhooksTests {
  private let folder: ScratchFolder
  private let certificate: Certificate
  private let server: ChildProcess
  private let port: Int

  init() throws {
    folder = try ScratchFolder()
    certificate = try Certificate(for: "hooks.example", in: folder)
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    server = try ChildProcess(
      "/usr/bin/python3",
      ["/\(root)/Tests/push/webhook.py", certificate.certificate, certificate.key, folder.path])
    let path = "\(folder.path)/port"
    try eventually(within: .seconds(120)) { (try? TextFile.read(path)) != nil }
    port = try #require(Int(try TextFile.read(path)))
  }

  /// Posts to a path of the server, which the name of its host does not lead to.
  private func post(
    _ path: String, host: String = "hooks.example", within limit: Duration = .seconds(60),
    port: Int? = nil, isTrusted: Bool = true, believing authorities: String? = nil,
    mayLeave: Bool = true
  ) throws -> WebhookOutcome {
    let url = PushToken("https://\(host):\(port ?? self.port)\(path)")
    let target = try WebhookTarget(url, within: WebhookLimits(ports: [port ?? self.port]))
    let request = PushRequest(
      path: url.secret, headers: [("content-type", "application/json"), ("webhook-id", "7")],
      body: "{\"text\":\"오늘\"}")
    let webhooks = CurlWebhooks(
      within: limit, believing: isTrusted ? authorities ?? certificate.authority : nil)
    return webhooks.post(
      request, to: target, at: [try #require(NetworkAddress("127.0.0.1"))], if: { mayLeave })
  }

  private func requests() -> [Substring] {
    ((try? TextFile.read("\(folder.path)/requests")) ?? "").split(separator: "\n")
  }

  @Test func `a request arrives whole and once, at the address that it was given`() throws {
    let outcome = try post("/200/retry-after/%2030")

    #expect(
      outcome
        == .answered(
          ProviderAnswer(status: 200, body: Array("body".utf8), retryAfter: "%2030")))
    let request = try #require(requests().first)
    #expect(requests().count == 1)
    #expect(request.contains(#""first": "POST /200/retry-after/%2030 HTTP/1.1""#))
    #expect(request.contains(#""webhook-id": "7""#))
    #expect(request.contains(#""body": "{\"text\":\"\uc624\ub298\"}""#))
    #expect(request.contains(#""host": "hooks.example:\#(port)""#))
  }

  @Test func `a redirect is an answer, and leads nowhere`() throws {
    let outcome = try post("/302/location/elsewhere")

    #expect(outcome == .answered(ProviderAnswer(status: 302, body: Array("body".utf8))))
    #expect(requests().count == 1)
  }

  @Test func `an answer of ten megabytes is cut, and its status stands`() throws {
    let outcome = try post("/huge")

    let body = [UInt8](repeating: UInt8(ascii: "x"), count: ProviderAnswer.longest)
    #expect(outcome == .answered(ProviderAnswer(status: 200, body: body)))
  }

  @Test func `a connection that ends after a request leaves it uncertain, and it came once`() throws
  {
    let outcome = try post("/reset")

    guard case .uncertain = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(requests().count == 1)
  }

  @Test func `a server that never answers leaves a request uncertain`() throws {
    let outcome = try post("/silence", within: .seconds(1))

    guard case .uncertain = outcome else {
      // A host that is busy may not even have come to the request.
      #expect(outcome == .notSent("timeout was reached") && requests().isEmpty)
      return
    }
  }

  @Test func `a request that may leave no more when the connection stands does not`() throws {
    #expect(try post("/200", mayLeave: false) == .late)
    #expect(requests().isEmpty)
  }

  @Test func `an address of IPv6 in a URL stands for itself`() throws {
    let address = try #require(NetworkAddress("::1"))
    let url = PushToken("https://[::1]:1/")
    let target = try WebhookTarget(url, within: WebhookLimits(ports: [1]))
    let request = PushRequest(path: url.secret, headers: [("webhook-id", "7")], body: "{}")

    #expect(
      CurlWebhooks().post(request, to: target, at: [address], if: { true })
        == .notSent("couldn't connect to server"))
  }

  @Test func `authorities in a pipe without a writer, or nowhere, hold nothing up`() throws {
    try ChildProcess.run("/usr/bin/mkfifo", ["\(folder.path)/pipe"])

    for name in ["pipe", "none"] {
      #expect(
        try post("/200", believing: "\(folder.path)/\(name)")
          == .notSent("problem with the SSL CA cert (path? access rights?)"))
    }
    #expect(requests().isEmpty)
  }

  @Test func `a server that is not there, or is another, gets nothing`() throws {
    let away = try post("/200", port: 1)
    let unknown = try post("/200", isTrusted: false)
    let other = try post("/200", host: "other.example")

    #expect(away == .notSent("couldn't connect to server"))
    for outcome in [unknown, other] {
      guard case .notSent = outcome else {
        Issue.record("\(outcome)")
        return
      }
    }
    #expect(requests().isEmpty)
  }
}
