import LocalTime
import Push
import Synchronization
import TestSupport
import Testing

@Suite("The one place of access tokens")
struct AccessTokenSourceTests {
  /// Google's server: counts what it is asked, and answers when it is let.
  private final class Exchange: OAuthExchange {
    let asked = Mutex<[Secret]>([])
    let isOpen = Atomic(true)
    private let answer: @Sendable (Int) -> ProviderAnswer?

    init(answer: @escaping @Sendable (Int) -> ProviderAnswer?) { self.answer = answer }

    func post(_ form: Secret, to url: String) throws(OAuthFailure) -> ProviderAnswer {
      let count = asked.withLock { asked in
        asked.append(form)
        return asked.count
      }
      while !isOpen.load(ordering: .acquiring) {}
      guard url == "https://oauth2.example/token", let answer = answer(count) else {
        throw OAuthFailure("no answer")
      }
      return answer
    }
  }

  private static func grant(_ number: Int) -> ProviderAnswer {
    ProviderAnswer(
      status: 200, body: Array("{\"access_token\":\"t\(number)\",\"expires_in\":3600}".utf8))
  }

  private let now: @Sendable () -> Instant = { Instant(secondsSince1970: 1_773_000_000) }

  private func source(_ exchange: Exchange) throws -> AccessTokenSource {
    AccessTokenSource(of: try ServiceAccount(TestKeys.account()), through: exchange)
  }

  @Test func `pushes of eight threads at once have one token fetched`() throws {
    let exchange = Exchange { Self.grant($0) }
    let source = try source(exchange)
    exchange.isOpen.store(false, ordering: .releasing)
    let threads = (0..<8).map { _ in TestThread { [now] in try source.token(at: now) } }
    try eventually { exchange.asked.withLock { $0.count } == 1 }
    exchange.isOpen.store(true, ordering: .releasing)

    let tokens = try threads.map { try $0.value() }

    #expect(Set(tokens.map(\.header)) == ["bearer t1"])
    #expect(exchange.asked.withLock { $0.count } == 1)
    #expect(source.refuse(1, at: now()) == nil)
    #expect(try source.token(at: now).generation == 2)
    #expect(
      source.refuse(2, at: now())
        == "Google takes no access token of the service account: is it of this project?")
  }

  @Test func `a server that fails is told of, and not asked at once again`() throws {
    let exchange = Exchange { _ in nil }
    let source = try source(exchange)

    for _ in 0..<3 {
      #expect(throws: OAuthFailure("no answer")) { try source.token(at: now) }
    }
    #expect(exchange.asked.withLock { $0.count } == 1)
  }
}
