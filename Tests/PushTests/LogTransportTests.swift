import Push
import Synchronization
import Testing

@Suite("Log transport")
struct LogTransportTests {
  private final class Page: Sendable {
    let texts = Mutex<[String]>([])
  }

  private func push(_ id: String, title: String = "Day 5") -> PushMessage {
    PushMessage(
      id: id, token: PushToken("a1b2c3d4e5f6a7b8"), title: title, body: "오늘의 문장",
      link: "app://session/warmup", expiresAt: 1_773_000_000)
  }

  @Test func `each push is one line, in order, all written at once, and counts as sent`() {
    let page = Page()
    let transport = LogTransport { text in
      page.texts.withLock { $0.append(text) }
      return .whole(text)
    }

    let deliveries = transport.send([push("one"), push("two", title: "a \"b\"\nc")])

    #expect(deliveries == [.sent, .sent])
    let text = """
      push id="one" to=apns token=a1b2c3… expires_at=1773000000 title="Day 5" \
      body="오늘의 문장" link="app://session/warmup"
      push id="two" to=apns token=a1b2c3… expires_at=1773000000 title="a \\"b\\"\\nc" \
      body="오늘의 문장" link="app://session/warmup"

      """
    #expect(page.texts.withLock(\.self) == [text])
  }

  @Test(arguments: [
    ("안녕하세요, 지우", "안녕하세요, 지우"), ("Añ🙂 ok", "Añ🙂 ok"),
    ("a\u{202E}b\u{2066}", "a\\u{202E}b\\u{2066}"), ("👩‍👧 नमस्ते", "👩‍👧 नमस्ते"),
    ("한\n글\u{1B}[2J", "한\\n글\\u{1B}[2J"), ("이 \"말\" \\", "이 \\\"말\\\" \\\\"),
  ])
  func `whatever a text holds, it stays on its line and in its quotes`(title: String, shown: String)
  {
    let page = Page()
    _ = LogTransport { text in
      page.texts.withLock { $0.append(text) }
      return .whole(text)
    }.send([push("one", title: title)])

    #expect(page.texts.withLock { $0.joined().contains("title=\"\(shown)\" body=") })
  }

  @Test func `a push that could not be written never left, and says why`() {
    let transport = LogTransport { _ in .part(0, because: "the disk is full") }

    #expect(transport.send([push("one")]) == [.notSent("the disk is full")])
  }

  @Test func `of a text that was cut off, nobody knows about the line that was cut`() {
    let line = Page()
    _ = LogTransport { text in
      line.texts.withLock { $0.append(text) }
      return .whole(text)
    }.send([push("one")])
    let length = line.texts.withLock { $0.joined().utf8.count }
    let torn = LogTransport { _ in .part(length + 1, because: "the disk is full") }

    let deliveries = torn.send([push("one"), push("two"), push("three")])

    #expect(
      deliveries == [.sent, .uncertain("the disk is full"), .notSent("the disk is full")])
  }

  @Test(arguments: ["a1b2c3d4e5f6a7b8", "short"])
  func `no way of printing a token shows all of it`(secret: String) {
    let token = PushToken(secret)
    var dumped = ""
    dump(token, to: &dumped)

    for text in ["\(token)", String(reflecting: token), dumped] { #expect(!text.contains(secret)) }
  }
}
