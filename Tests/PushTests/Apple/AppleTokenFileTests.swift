import LocalTime
import Push
import TestSupport
import Testing

@Suite("The file of an Apple team's token")
struct AppleTokenFileTests {
  private let start = Instant(secondsSince1970: 1_773_000_000)
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private var path: String { "\(folder.path)/TEAM123456-KEY1234567.apple-token" }

  /// A process that starts with nothing but the folder.
  private func process(_ team: AppleTeam? = nil) throws -> AppleTokenSource {
    let team = try team ?? TestKeys.team()
    return AppleTokenSource(of: team, keptBy: team.file(in: folder.path))
  }

  private func token(
    of source: AppleTokenSource, after minutes: Int
  ) throws -> String? {
    guard case .use(let token) = try source.token(at: start + .seconds(minutes * 60)) else {
      return nil
    }
    return token.header
  }

  @Test func `a process that is started again within fifty minutes shows Apple no new token`()
    throws
  {
    let first = try token(of: process(), after: 0)
    let again = try process()

    #expect(try token(of: again, after: 50) == first)
    #expect(again.minted == 0 && again.age(at: start + .seconds(3000)) == .seconds(3000))
    #expect(try token(of: process(), after: 51) != first)
  }

  @Test func `a process whose token is old takes the one that another has minted`() throws {
    let (one, other) = (try process(), try process())
    _ = try token(of: one, after: 0)
    _ = try token(of: other, after: 1)
    let minted = try token(of: one, after: 51)

    #expect(try token(of: other, after: 52) == minted)
    #expect(one.minted == 2 && other.minted == 0)
  }

  @Test func `a token that Apple calls old is not taken from the file again`() throws {
    let source = try process()
    let first = try token(of: source, after: 0)

    #expect(source.heed(.renew, of: 1, at: start + .seconds(1800)) == nil)
    #expect(try token(of: source, after: 30) != first)
    #expect(source.minted == 2)
  }

  @Test func `another key of the same name has a token of its own`() throws {
    let first = try token(of: process(), after: 0)
    let key = try TestKeys.pair("ec", ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"])
    let other = try AppleTeam(
      id: "TEAM123456", keyID: "KEY1234567", key: SigningKey(pem: Secret(key.key), for: .es256))

    #expect(try token(of: process(other), after: 1) != first)
  }

  @Test func `its owner alone may read it`() throws {
    let first = try token(of: process(), after: 0)
    try ChildProcess.run("/usr/bin/test", ["-f", path])
    try ChildProcess.run("/bin/sh", ["-c", "test $(stat -c %a \(path)) = 600"])
    try ChildProcess.run("/bin/chmod", ["644", path])

    #expect(try token(of: process(), after: 1) != first)
  }

  @Test(arguments: ["", "a b", "a b c d", "half", "\u{0}\u{0}"])
  func `what is no token is none, and is replaced`(text: String) throws {
    try folder.write(text, to: "TEAM123456-KEY1234567.apple-token")

    let first = try token(of: process(), after: 0)

    #expect(try token(of: process(), after: 1) == first)
  }

  @Test func `without a folder there is a token all the same`() throws {
    let team = try TestKeys.team()
    let source = AppleTokenSource(of: team, keptBy: team.file(in: "\(folder.path)/nowhere"))

    #expect(try token(of: source, after: 0) == token(of: source, after: 50))
  }
}
