import LocalTime
import Push
import Synchronization
import TestSupport
import Testing

@Suite("An Apple team's tokens")
struct AppleTokensTests {
  private let start = Instant(secondsSince1970: 1_773_000_000)

  private func after(_ minutes: Int) -> Instant { start + .seconds(minutes * 60) }

  /// Tokens whose text is the minute of their making.
  private func tokens() -> AppleTokens {
    AppleTokens { [start] now throws(SigningKeyError) in
      Secret("\(now.secondsSince1970 - start.secondsSince1970)")
    }
  }

  private func use(_ minute: Int, _ generation: Int) -> AppleTokens.Answer {
    .use(BearerToken(text: "\(minute * 60)", generation: generation))
  }

  @Test func `one token serves for fifty minutes, and then the next one`() throws {
    var tokens = tokens()

    #expect(try tokens.token(at: start) == use(0, 1))
    #expect(try tokens.token(at: after(19)) == use(0, 1))
    #expect(try tokens.token(at: after(50)) == use(0, 1))
    #expect(try tokens.token(at: after(51)) == use(51, 2))
    #expect(tokens.minted == 2)
  }

  @Test func `of all pushes that fail together for an old token, the first has a new one minted`()
    throws
  {
    var tokens = tokens()
    _ = try tokens.token(at: start)

    #expect(tokens.expire(1, at: after(21)) == .isRenewed)
    #expect(tokens.expire(1, at: after(21)) == .isRenewed)
    #expect(try tokens.token(at: after(21)) == use(21, 2))
    for _ in 0..<100 { #expect(tokens.expire(1, at: after(22)) == .isRenewed) }
    #expect(try tokens.token(at: after(22)) == use(21, 2))
    #expect(tokens.minted == 2)
  }

  @Test func `a token that is called old when it is new says that a clock is wrong`() throws {
    var tokens = tokens()
    _ = try tokens.token(at: start)

    #expect(tokens.expire(1, at: after(19)) == .isImpossible)
    #expect(try tokens.token(at: after(19)) == .wait(until: after(20)))
    #expect(try tokens.token(at: after(20)) == use(20, 2))
  }

  @Test func `after too many tokens there is no other for twenty minutes, and the old one stays`()
    throws
  {
    var tokens = tokens()
    _ = try tokens.token(at: start)
    tokens.freeze(at: after(45))

    #expect(try tokens.token(at: after(59)) == use(0, 1))
    #expect(try tokens.token(at: after(60)) == .wait(until: after(65)))
    #expect(try tokens.token(at: after(65)) == use(65, 2))
  }

  @Test func `a process that is told of too many tokens before it has one mints none`() throws {
    var tokens = tokens()
    tokens.freeze(at: start)

    #expect(try tokens.token(at: after(19)) == .wait(until: after(20)))
    #expect(try tokens.token(at: after(20)) == use(20, 1))
  }

  @Test func `a clock that is set back by hours has a new token minted, by minutes it has not`()
    throws
  {
    var tokens = tokens()
    _ = try tokens.token(at: after(600))

    #expect(try tokens.token(at: after(590)) == use(600, 1))
    #expect(try tokens.token(at: after(300)) == use(300, 2))
  }

  @Test func `a thousand pushes of eight threads at once have one token minted`() throws {
    let count = Mutex(0)
    let source = AppleTokenSource(
      AppleTokens { _ throws(SigningKeyError) in
        count.withLock { $0 += 1 }
        return Secret("token")
      })
    let threads = (0..<8).map { _ in
      TestThread { [start] in
        for _ in 0..<125 {
          _ = source.heed(.renew, of: 1, at: start + .seconds(3000))
          _ = try source.token(at: start + .seconds(3000))
        }
      }
    }
    for thread in threads { try thread.value() }

    #expect(count.withLock(\.self) == 1)
    #expect(source.minted == 1)
  }

  @Test func `a key that signs no more leaves no token, and says why`() {
    var tokens = AppleTokens { _ throws(SigningKeyError) in throw .failed }

    #expect(throws: SigningKeyError.failed) { try tokens.token(at: start) }
  }

  @Test(arguments: ["TEAM12345", "team123456", "TEAM-12345", "", "TEAM12345\n"])
  func `a team or a key that Apple cannot have named so is refused`(name: String) {
    let words = [("id", name, "KEY1234567"), ("key", "TEAM123456", name)].map { _, team, key in
      do {
        _ = try TestKeys.team(id: team, keyID: key)
        return ""
      } catch { return "\(error)" }
    }

    #expect(
      words == [
        "'\(name)' is no team of Apple: write the ten letters and digits of its membership page",
        "'\(name)' is no key of Apple: write the ten letters and digits in the name of its file, "
          + "AuthKey_….p8",
      ])
  }
}
