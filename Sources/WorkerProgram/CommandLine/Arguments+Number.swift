extension Arguments {
  /// The whole number that an option names; nothing when it is not written.
  func number(
    _ option: Option, from least: Int, to most: Int, of command: Command
  ) throws(UsageError) -> Int? {
    guard let text = self[option] else { return nil }
    guard let number = Int(text), (least...most).contains(number) else {
      throw UsageError(
        .badValue(text, of: option, expected: "write a whole number from \(least) to \(most)"),
        command: command)
    }
    return number
  }
}
