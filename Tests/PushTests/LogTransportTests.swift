import Push
import Synchronization
import Testing

@Suite("Log transport")
struct LogTransportTests {
  private final class Page: Sendable {
    let lines = Mutex<[String]>([])
  }

  private struct FullDisk: Error, CustomStringConvertible {
    let description = "the disk is full"
  }

  private func push(_ id: String, title: String = "Day 5") -> PushMessage {
    PushMessage(
      id: id, token: PushToken("a1b2c3d4e5f6a7b8"), title: title, body: "오늘의 문장",
      link: "app://session/warmup", expiresAt: 1_773_000_000)
  }

  @Test func `each push is one line, in order, and counts as sent`() {
    let page = Page()
    let transport = LogTransport { line in page.lines.withLock { $0.append(line) } }

    let deliveries = transport.send([push("one"), push("two", title: "a \"b\"\nc")])

    #expect(deliveries == [.sent, .sent])
    #expect(
      page.lines.withLock(\.self) == [
        #"push id="one" token=a1b2c3… expires_at=1773000000 title="Day 5" body="오늘의 문장""#
          + #" link="app://session/warmup""#,
        #"push id="two" token=a1b2c3… expires_at=1773000000 title="a \"b\"\nc" body="오늘의 문장""#
          + #" link="app://session/warmup""#,
      ])
  }

  @Test func `a push that could not be written never left, and says why`() {
    let transport = LogTransport { _ in throw FullDisk() }

    #expect(transport.send([push("one")]) == [.notSent("the disk is full")])
  }

  @Test(arguments: ["a1b2c3d4e5f6a7b8", "short"])
  func `no way of printing a token shows all of it`(secret: String) {
    let token = PushToken(secret)
    var dumped = ""
    dump(token, to: &dumped)

    for text in ["\(token)", String(reflecting: token), dumped] { #expect(!text.contains(secret)) }
  }
}
