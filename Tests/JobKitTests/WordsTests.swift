import Config
import JobKit
import LocalTime
import Runner
import Settings
import Testing

@Suite("Words for people")
struct WordsTests {
  @Test(arguments: [
    ("a\u{1B}[2Jb", "a\\u{1B}[2Jb"), ("a\u{202E}b", "a\\u{202E}b"),
    ("a\u{2066}b\u{2069}", "a\\u{2066}b\\u{2069}"),
    ("a\u{200F}b", "a\\u{200F}b"), ("a\u{2028}b", "a\\u{2028}b"), ("a\u{85}b", "a\\u{0085}b"),
    ("a\u{FEFF}b", "a\\u{FEFF}b"), ("a\u{E0041}b", "a\\u{000E0041}b"), ("a\nb", "a\\nb"),
    ("👩‍👩‍👧 नमस्ते", "👩‍👩‍👧 नमस्ते"),
  ])
  func `what shows nothing and changes what is shown is spelt out`(text: String, shown: String) {
    #expect(text.withVisibleControls == shown)
  }

  @Test func `neither a log nor JSON turns the direction of what is read`() {
    let line = LogLine(
      at: .init(secondsSince1970: 0), level: .info, message: "a\u{202E}\u{1B}b",
      fields: [("reason", "c\u{2066}d"), ("tag", "\u{E0041}")])

    #expect(line.timeless == #"a\u{202E}\u{1B}b reason="c\u2066d" tag="\udb40\udc41""#)
    #expect(line.json.contains(#""msg":"a\u202e\u001bb","reason":"c\u2066d""#))
    #expect(line.logfmt.hasSuffix(#"reason="c\u2066d" tag="\udb40\udc41""#))
  }

  @Test func `one is one`() {
    #expect(1.counted("learner") == "1 learner")
    #expect(0.counted("learner") == "0 learners")
    #expect(2.counted("push", "pushes") == "2 pushes")
  }

  @Test(arguments: [
    (1.0050999999999999, "1 s"), (0.25, "250 ms"), (90, "1 min 30 s"), (3600, "1 h"),
    (90_000, "1 d 1 h"),
  ])
  func `a time is written as people write it`(seconds: Double, text: String) {
    #expect(Duration.seconds(seconds).inWords == text)
  }
}
