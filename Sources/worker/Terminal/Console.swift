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

  /// Tells the operator what is wrong, under the program's name.
  func complain(_ sentence: String) {
    StandardStream.error.write("\(errorStyle.red("worker:")) \(sentence)\n")
  }
}
