internal import Config
internal import JobKit

/// Where a command writes: results to standard output, everything else to standard error.
struct Console: Sendable {
  let style = Style(
    isColoured: StandardStream.output.takesColours, width: StandardStream.output.columns)
  private let errorStyle = Style(isColoured: StandardStream.error.takesColours)

  /// Writes a result and ends the line.
  func print(_ text: String) throws(Unwritten) {
    try StandardStream.output.write(text + "\n")
  }

  /// Writes what a command has done: a sentence, or with --json the same for machines.
  func answer(_ sentence: String, _ json: JSON, to arguments: Arguments) throws(Unwritten) {
    let lines = sentence.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { String($0).withVisibleControls }.joined(separator: "\n")
    try print(arguments.has(.json) ? json.pretty : text)
  }

  /// Writes a result as it stands.
  func write(_ text: String) throws(Unwritten) {
    try StandardStream.output.write(text)
  }

  /// Says something beside the result, where it does not get into it.
  func remark(_ sentence: String) {
    report("\(errorStyle.dim("note:")) \(sentence.withVisibleControls)")
  }

  /// Tells what has just happened, a line that stays.
  func tell(_ line: String) {
    report(line.withVisibleControls)
  }

  /// Whether progress is drawn over and over, rather than told line by line.
  var drawsProgress: Bool { StandardStream.error.takesControls }

  /// Shows how far something is, in place of what was shown before.
  func progress(_ line: String) {
    guard drawsProgress else { return remark(line) }
    try? StandardStream.error.write(Self.clearedLine + line)
  }

  /// Takes the last progress off the terminal.
  func clearProgress() {
    if drawsProgress { try? StandardStream.error.write(Self.clearedLine) }
  }

  /// Back to the beginning of the line, which is emptied.
  private static let clearedLine = "\r\u{1B}[K"

  /// Tells the operator what is wrong: places in files as compilers do, and last, under the program's
  /// name, what comes of it.
  func complain(_ lines: [String]) {
    let lines = lines.map(\.withVisibleControls)
    // By this the journal knows an error; to anybody else it would be a riddle.
    let mark = StandardStream.error.isJournal ? "<3>" : ""
    for place in lines.dropLast() { report(mark + place) }
    report("\(mark)\(errorStyle.red("worker:")) \(lines.last ?? "")")
  }

  private func report(_ line: String) {
    clearProgress()
    // When standard error is gone too, nobody is left to hear of it.
    try? StandardStream.error.write(line + "\n")
  }
}
