import LocalTime
import Synchronization
import TestSupport
import Testing

@testable import Push

@Suite("A service account's access tokens")
struct AccessTokensTests {
  private let start = Instant(secondsSince1970: 1_773_000_000)

  private func after(_ seconds: Int) -> Instant { start + .seconds(seconds) }

  private func grant(_ text: String) throws -> AccessGrant {
    try AccessGrant(
      ProviderAnswer(
        status: 200, body: Array("{\"access_token\":\"\(text)\",\"expires_in\":3600}".utf8)))
  }

  private func token(_ text: String, _ generation: Int) -> BearerToken {
    BearerToken(text: text, generation: generation)
  }

  @Test(arguments: [(0.0, 2880), (1.0, 3240)])
  func `a token is renewed after 80 to 90 percent of its life, and serves meanwhile`(
    chance: Double, second: Int
  ) throws {
    var tokens = AccessTokens()
    #expect(tokens.step(at: start) == .fetch(old: nil))
    #expect(tokens.step(at: start) == .join)
    tokens.note(try grant("one"), at: start, chance: chance)

    #expect(tokens.step(at: after(second - 1)) == .use(token("one", 1)))
    #expect(tokens.step(at: after(second)) == .fetch(old: token("one", 1)))
    #expect(tokens.step(at: after(second)) == .use(token("one", 1)))
    #expect(tokens.step(at: after(3419)) == .use(token("one", 1)))
    #expect(tokens.step(at: after(3420)) == .join)
  }

  @Test func `a token that is not taken is fetched once more, however many pushes fail together`()
    throws
  {
    var tokens = AccessTokens()
    _ = tokens.step(at: start)
    tokens.note(try grant("one"), at: start, chance: 0)
    #expect(tokens.refuse(1, at: after(1)) == .isRenewed)
    #expect(tokens.refuse(1, at: after(1)) == .isRenewed)
    #expect(tokens.step(at: after(1)) == .fetch(old: nil))
    #expect(tokens.step(at: after(1)) == .join)
    tokens.note(try grant("two"), at: after(1), chance: 0)

    #expect(tokens.refuse(1, at: after(2)) == .isRenewed)
    #expect(tokens.step(at: after(2)) == .use(token("two", 2)))
    #expect(tokens.refuse(2, at: after(2)) == .isRepeated)
  }

  @Test func `after failures Google is asked again after 1, 2, 4 … 60 seconds`() {
    var (tokens, second) = (AccessTokens(), 0)
    let waits = (0..<8).map { _ in
      #expect(tokens.step(at: after(second)) == .fetch(old: nil))
      tokens.noteFailure(OAuthFailure("no answer"), at: after(second))
      guard case .wait(let until, "no answer") = tokens.step(at: after(second)) else { return 0 }
      let wait = until.secondsSince1970 - after(second).secondsSince1970
      second += wait
      return wait
    }

    #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60])
  }

  @Test func `an old token serves while Google gives no new one, until it ends`() throws {
    var tokens = AccessTokens()
    _ = tokens.step(at: start)
    tokens.note(try grant("one"), at: start, chance: 0)
    _ = tokens.step(at: after(3000))
    tokens.noteFailure(OAuthFailure("no answer"), at: after(3000))

    #expect(tokens.step(at: after(3000)) == .use(token("one", 1)))
    #expect(tokens.step(at: after(3001)) == .fetch(old: token("one", 1)))
  }

  @Test(arguments: [
    (
      400, #"{"error":"invalid_grant","error_description":"Invalid JWT Signature."}"#, true,
      "Google gives no access token: 400 invalid_grant, Invalid JWT Signature."
    ),
    (401, "", true, "Google gives no access token: 401"),
    (429, "", false, "Google gives no access token: 429"),
    (503, "<html>", false, "Google gives no access token: 503"),
    (200, "{}", false, "Google's answer holds no access token"),
    (
      200, #"{"access_token":"a\nb","expires_in":1}"#, false,
      "Google's answer holds no access token"
    ),
    (200, #"{"access_token":"a","expires_in":0}"#, false, "Google's answer holds no access token"),
  ])
  func `an answer without a token says why, and whether to ask again`(
    status: Int, body: String, isFinal: Bool, words: String
  ) {
    let error = #expect(throws: OAuthFailure.self) {
      try AccessGrant(ProviderAnswer(status: status, body: Array(body.utf8)))
    }

    #expect(error == OAuthFailure(words, isFinal: isFinal))
  }
}
