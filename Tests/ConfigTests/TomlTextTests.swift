import Testing

@testable import Config

@Suite("Places inside of strings")
struct TomlTextTests {
  /// Where each scalar of the one string of a document stands, as `line:column`.
  private func places(_ document: String) throws -> [String] {
    let entry = try #require(TomlDocument(document).root.entries.first)
    guard case .string(let text) = entry.value.content else { return [] }
    let source = TomlText(document)
    return text.unicodeScalars.enumerated().map { offset, _ in
      let place = source.position(of: offset, inStringAt: entry.value.position)
      return "\(place.line):\(place.column)"
    }
  }

  @Test(arguments: [
    ("a = \"bc\"", ["1:6", "1:7"]), ("a = 'b\\'", ["1:6", "1:7"]),
    (#"a = "b\tc\u00e9d\U0001F600e""#, ["1:6", "1:7", "1:9", "1:10", "1:16", "1:17", "1:27"]),
    ("a = \"\"\"\nbc\n d\"\"\"", ["2:1", "2:2", "2:3", "3:1", "3:2"]),
    ("a = '''b\n\nc'''", ["1:8", "1:9", "2:1", "3:1"]),
    ("a = \"\"\"b\\\n\n   c\"\"\"", ["1:8", "3:4"]), ("a = \"\"\"\\\n  c\"\"\"", ["2:3"]),
  ])
  func `each letter has the place where it is written`(document: String, places: [String]) throws {
    #expect(try self.places(document) == places)
  }
}
