import JobKit
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

  /// What is heard of pieces that are read, a line each, with its stream.
  private func heard(_ pieces: [(String, PrintedLine.Stream)]) -> (lines: [String], kept: String) {
    let lines = Lines()
    var output = ProgramOutput { line, stream in lines.all.append("\(stream.rawValue) \(line)") }
    for (piece, stream) in pieces { output.take(Array(piece.utf8)[...], from: stream) }
    output.end()
    return (lines.all, output.tail.text)
  }

  private final class Lines {
    var all: [String] = []
  }

  @Test func `lines of both streams are heard whole, in the order in which they end`() {
    let (lines, kept) = heard([
      ("on", .output), ("oh\n", .errors), ("e\n\ntw", .output), ("o", .output),
    ])

    #expect(lines == ["stderr oh", "stdout one", "stdout two"])
    #expect(kept == "oh\none\n\ntwo")
  }

  @Test func `a long line is heard in pieces, none of which ends within a character`() {
    let long = "x" + String(repeating: "é", count: 1500)
    let (lines, kept) = heard([(long, .output), ("é\nend\n", .output)])

    #expect(lines.map { $0.utf8.count - 7 } == [1023, 1024, 954, 2, 3])
    #expect(lines.map { $0.dropFirst(7) }.joined() == long + "éend" && kept == long + "é\nend\n")
  }

  @Test func `of very many lines the first are heard, and all are kept`() {
    let text = String(repeating: "y\n", count: 20_000)
    let (lines, kept) = heard([(text, .output), ("the end\n", .errors)])

    #expect(lines.count == 1001 && lines[999] == "stdout y")
    #expect(
      lines[1000] == "stdout further lines are not logged: 'worker show' has the last of them")
    #expect(kept == text + "the end\n")
  }

  @Test(arguments: [
    ("progress 12/100\n", ProgressLines.Step(done: 12, total: 100)),
    ("progress 12\n", ProgressLines.Step(done: 12, total: nil)),
    ("progress 1000000000000\n", ProgressLines.Step(done: 1_000_000_000_000, total: nil)),
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
    "progress 99999999999999999999\n", "progress 1000000000001\n",
    "progress 1/9223372036854775807\n", "progress  \(String(repeating: "1", count: 999))\n",
  ])
  func `other lines say nothing`(text: String) {
    var lines = ProgressLines()

    #expect(lines.take(Array(text.utf8)[...]) == nil)
  }
}
