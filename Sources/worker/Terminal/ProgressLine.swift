/// One line that is written again and again on a terminal; in a pipe there is none.
struct ProgressLine {
  private let isShown = StandardStream.error.isTerminal

  /// Replaces the line.
  func show(_ text: String) {
    write(text)
  }

  /// Leaves an empty line for what comes next.
  func clear() {
    write("")
  }

  private func write(_ text: String) {
    guard isShown else { return }
    // To the left edge, and away with what stood there.
    try? StandardStream.error.write("\r\u{1B}[K\(text)")
  }
}
