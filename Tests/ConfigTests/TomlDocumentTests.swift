import Testing

@testable import Config

@Suite struct TomlDocumentTests {
  @Test func `every key and value knows where it was written`() throws {
    let document = TomlDocument("workers = 4\n\n[jobs.a]\n  \"ü\" = [true, {b = 1.5}]\n")

    let workers = try #require(document.root.entries.first)
    #expect(workers.key == "workers")
    #expect(workers.position == SourcePosition(line: 1, column: 1))
    #expect(workers.value == TomlValue(line: 1, column: 11, .integer(4)))
    let jobs = try #require(document.root["jobs"]?.table)
    let job = try #require(jobs.entries.first)
    #expect(job.position == SourcePosition(line: 3, column: 7))
    let list = try #require(job.value.table?.entries.first)
    #expect(list.key == "ü")
    #expect(list.position == SourcePosition(line: 4, column: 3))
    let inner = TomlTable.Entry(
      key: "b", position: SourcePosition(line: 4, column: 17),
      value: TomlValue(line: 4, column: 21, .float(1.5)))
    #expect(
      list.value
        == TomlValue(
          line: 4, column: 9,
          .array([
            TomlValue(line: 4, column: 10, .boolean(true)),
            TomlValue(line: 4, column: 16, .table(TomlTable(entries: [inner]))),
          ])))
  }

  @Test(arguments: [
    ("1979-05-27", "1979-05-27"), ("07:32:00", "07:32:00"),
    ("1979-05-27T07:32:00Z", "1979-05-27T07:32:00Z"),
  ])
  func `dates and times are told from text`(written: String, read: String) {
    #expect(TomlDocument("x = \(written)").root["x"]?.content == .dateTime(read))
  }

  @Test func `keys come in the order in which they were written`() {
    let document = TomlDocument("b = 1\na.z = 1\na.c = 2\n[d]\n[c]\n")

    #expect(document.root.entries.map(\.key) == ["b", "a", "d", "c"])
    #expect(document.root["a"]?.table?.entries.map(\.key) == ["z", "c"])
  }

  @Test func `an empty text is an empty document`() {
    #expect(TomlDocument("").root == TomlTable(entries: []))
    #expect(TomlDocument("").faults.isEmpty)
  }

  @Test func `a line that cannot be read does not hide the others`() {
    let document = TomlDocument("a = four\nb = 2\nb = 3\nc =\nd = 4\n")

    #expect(document.faults.map(\.position.line) == [1, 3, 4])
    #expect(document.root.entries.map(\.key) == ["b", "d"])
    #expect(document.root["b"]?.content == .integer(2))
  }

  @Test func `what follows a broken header is not read into another table`() {
    let document = TomlDocument("a = 1\n[log\nlevel = \"info\"\n")

    #expect(document.faults.map(\.position.line) == [2])
    #expect(document.root.entries.isEmpty)
  }

  @Test func `no more than twenty faults are looked for`() {
    let document = TomlDocument(String(repeating: "a = b\n", count: 50))

    #expect(document.faults.count == 20)
  }

  @Test(arguments: [1, 15])
  func `a key may have up to 16 parts`(dots: Int) {
    let document = TomlDocument(String(repeating: "a.", count: dots) + "a = 1")

    #expect(document.faults.isEmpty)
  }

  @Test(arguments: Excess.allCases)
  func `a document beyond the bounds is refused before it costs anything`(excess: Excess) {
    #expect(TomlDocument(excess.text).faults.map(\.sentence) == [excess.sentence])
  }

  @Test func `dots in text and in comments are no parts of a key`() {
    let dots = String(repeating: ".", count: 30_000)
    let text = """
      # \(dots)
      a = "\(dots)\\"\(dots)"
      b = '\(dots)'
      c = \"\"\"\(dots)
      \(dots)"" \(dots)\"\"\"\"\"
      d = '''\(dots)''\(dots)'''''
      """
    let document = TomlDocument(text)

    #expect(document.faults.map(\.sentence) == [])
    #expect(document.root.entries.map(\.key) == ["a", "b", "c", "d"])
  }
}

/// A document that is too much in one way, and the words it is refused with.
enum Excess: CaseIterable {
  case deepHeader, deepKey, brackets, length, lists

  var sentence: String {
    switch self {
    case .deepHeader, .deepKey: "a key has more than 16 parts: settings need two or three"
    case .brackets: "there are more than 20000 tables and dots: is this the right file?"
    case .length: "the text is longer than 1 MiB: settings are a few lines, is this the right file?"
    case .lists: "lists stand in more than 16 others: settings need one or two"
    }
  }

  var text: String {
    switch self {
    case .deepHeader: "[" + String(repeating: "a.", count: 16) + "a]"
    case .deepKey: "x = {" + String(repeating: "a.", count: 400_000) + "a = 1}"
    case .brackets: "x = " + String(repeating: "[", count: 30_000)
    case .length: String(repeating: "# 1\n", count: 262_145)
    case .lists: "x = " + String(repeating: "[", count: 17)
    }
  }
}

extension TomlValue {
  init(line: Int, column: Int, _ content: Content) {
    self.init(position: SourcePosition(line: line, column: column), content: content)
  }

  var table: TomlTable? {
    guard case .table(let table) = content else { return nil }
    return table
  }
}
