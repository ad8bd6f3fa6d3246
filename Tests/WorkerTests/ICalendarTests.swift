import Testing

@testable import WorkerProgram

@Suite("ICalendar")
struct ICalendarTests {
  @Test(arguments: [
    (String(repeating: "a", count: 75), [75]),
    (String(repeating: "a", count: 76), [75, 2]),
    (String(repeating: "a", count: 75 + 74 + 1), [75, 75, 2]),
    // Of three bytes each: no line ends in the middle of one.
    (String(repeating: "€", count: 50), [75, 73, 4]),
  ])
  func `a line is folded before it is too long, and between characters`(
    line: String, lengths: [Int]
  ) {
    let pieces = ICalendar.folded(line).split(separator: "\r\n")

    #expect(pieces.map(\.utf8.count) == lengths)
    #expect((pieces.first ?? "") + pieces.dropFirst().map { $0.dropFirst() }.joined() == line)
  }

  @Test func `what has a meaning in a calendar is escaped`() {
    #expect(ICalendar.escaped("a,b;c\\d\ne\r\nf") == "a\\,b\\;c\\\\d\\ne\\nf")
  }
}
