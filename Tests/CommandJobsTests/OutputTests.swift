import Testing

@testable import CommandJobs

@Suite("The output of a program")
struct OutputTests {
  private func text(_ bytes: [UInt8]) -> String {
    var tail = OutputTail()
    tail.append(bytes[...])
    return tail.text
  }

  @Test func `a character whose beginning is gone is left out`() {
    let text = text(Array(String(repeating: "é", count: 40_000).utf8) + [UInt8(ascii: "!")])

    #expect(text.hasPrefix("éé") && text.hasSuffix("é!"))
    #expect(text.utf8.count == 65_535)
  }

  @Test func `what becomes longer as a text loses its beginning`() {
    let text = text([UInt8](repeating: 0xFF, count: 65_536) + Array("end".utf8))

    #expect(text.utf8.count <= 65_536 && text.hasSuffix("\u{FFFD}end"))
  }

  @Test func `the last line is the last that says something, without commands to a terminal`() {
    var tail = OutputTail()
    tail.append(Array("first\n\u{1B}[31mlast\n \n\n".utf8)[...])

    #expect(tail.lastLine == "\\u{1B}[31mlast")
  }

  @Test(arguments: [
    ("progress 12/100\n", ProgressLines.Step(done: 12, total: 100)),
    ("progress 12\n", ProgressLines.Step(done: 12, total: nil)),
    ("progress 3/7\nprogress 5\n", ProgressLines.Step(done: 5, total: 7)),
    ("progress 1/2\nprogress 2/2\nprogress 3/", ProgressLines.Step(done: 2, total: 2)),
  ])
  func `lines of progress are read`(text: String, step: ProgressLines.Step) {
    var lines = ProgressLines()
    let first = lines.take(Array(text.utf8.prefix(5))[...])
    let rest = lines.take(Array(text.utf8.dropFirst(5))[...])

    #expect(first == nil && rest == step)
  }

  @Test(arguments: [
    "progress\n", "progress -1/2\n", "progress 1/2/3\n", "progress a\n", "progress 12/100",
    "progress 99999999999999999999\n", "progress  \(String(repeating: "1", count: 999))\n",
  ])
  func `other lines say nothing`(text: String) {
    var lines = ProgressLines()

    #expect(lines.take(Array(text.utf8)[...]) == nil)
  }
}
