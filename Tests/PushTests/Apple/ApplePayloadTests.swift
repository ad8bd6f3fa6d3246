import Push
import Testing

@Suite("Apple's payload")
struct ApplePayloadTests {
  @Test func `texts are escaped as JSON wants it, and nothing else is`() {
    let payload = ApplePayload(
      title: "a \"b\" \\ \u{1}\n", body: "오늘 🎉", link: "app://session/warmup", id: "1/2026-03-08")

    #expect(
      payload.text
        == #"{"aps":{"alert":{"title":"a \"b\" \\ \u0001\u000a","body":"오늘 🎉"},"sound":"default"}"#
        + #","id":"1/2026-03-08","link":"app://session/warmup"}"#)
  }
}
