/// Where a command writes: results to standard output, everything else to standard error.
struct Console: Sendable {
  let style = Style(isColoured: StandardStream.output.takesColours)
  private let errorStyle = Style(isColoured: StandardStream.error.takesColours)

  /// Writes a result and ends the line.
  func print(_ text: String) {
    StandardStream.output.write(text + "\n")
  }

  /// Says something beside the result, where it does not get into it.
  func remark(_ sentence: String) {
    StandardStream.error.write("\(errorStyle.dim("note:")) \(sentence)\n")
  }

  /// Tells the operator what is wrong: places in files as compilers do, and last, under the program's
  /// name, what comes of it.
  func complain(_ lines: [String]) {
    for place in lines.dropLast() { StandardStream.error.write(place + "\n") }
    StandardStream.error.write("\(errorStyle.red("worker:")) \(lines.last ?? "")\n")
  }
}
