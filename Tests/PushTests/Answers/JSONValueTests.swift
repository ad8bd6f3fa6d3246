import Testing

@testable import Push

@Suite("JSON that a provider wrote")
struct JSONValueTests {
  private func read(_ text: String) -> JSONValue? { JSONValue(Array(text.utf8)) }

  @Test func `a document is read with all that JSON has`() {
    let text =
      #" {"reason": "Gone\u00e9\ud83d\ude42\n", "timestamp":1732700000123, "e":{"list":[1.5e3,-0,true,false,null,{}]}} "#

    #expect(
      read(text)
        == .object([
          "reason": .text("Goneé🙂\n"), "timestamp": .number("1732700000123"),
          "e": .object([
            "list": .array([
              .number("1.5e3"), .number("-0"), .boolean(true), .boolean(false), .null, .object([:]),
            ])
          ]),
        ]))
    #expect(read(text)?["timestamp"]?.integer == 1_732_700_000_123)
    #expect(read(text)?["e"]?["list"]?.array.count == 6)
    #expect(read("[1.5]")?.array.first?.integer == nil)
  }

  @Test(arguments: [
    "", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "[1,]", "[1 2]", "{a:1}", "'a'", "01", "1.", ".5",
    "1e", "+1", "-", "tru", "nul", "\"a", "\"a\n\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"",
    "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\\u+123\"", "1 1", "<html>", "NaN", "[[1]",
  ])
  func `what is no JSON is none`(text: String) {
    #expect(read(text) == nil)
  }

  @Test func `bytes that are no text, and depths without a bottom, are not read`() {
    #expect(JSONValue([0x22, 0xFF, 0x22]) == nil)
    #expect(read(String(repeating: "[", count: 32) + String(repeating: "]", count: 32)) != nil)
    #expect(read(String(repeating: "[", count: 100_000)) == nil)
    #expect(
      read(String(repeating: "[", count: 34) + String(repeating: "]", count: 34)) == nil)
  }
}
