internal import Glibc

/// Shows something again and again until it is asked to end: in place of what was there on a terminal,
/// elsewhere the lines that are new.
struct Watching {
  /// Whether a terminal is emptied for each look.
  let redraws: Bool

  /// Waits until the next look is due; false when there is to be none.
  let wait: () -> Bool

  /// Shows what `look` gives, by `write`.
  func show(_ look: () throws -> String, by write: (String) throws -> Void) throws {
    var before: Set<String> = []
    repeat {
      let text = try look()
      if redraws {
        try write(Self.emptied + text + "\n")
        continue
      }
      let lines = text.split(separator: "\n").map(String.init)
      for line in lines where !before.contains(Self.bare(line)) { try write(line + "\n") }
      before = Set(lines.map(Self.bare))
    } while wait()
  }

  /// The line whatever the widths of its columns: a wider one beside it makes no news of it.
  private static func bare(_ line: String) -> String {
    line.split(separator: " ").joined(separator: " ")
  }

  /// The screen emptied, and the first line the next.
  private static let emptied = "\u{1B}[2J\u{1B}[H"
}

extension Console {
  /// Whether what is watched takes the place of what was there.
  var redraws: Bool { StandardStream.output.takesControls }

  /// Shows what `look` gives every two seconds, until Ctrl-C or until nobody reads it any more.
  func watch(_ look: () throws -> String) throws {
    let end = Latch()
    Signals().hear([SIGINT, SIGTERM]) { _ in end.happen() }
    let output = StandardStream.output
    let watching = Watching(redraws: redraws) {
      !end.happens(within: .seconds(2)) && output.hasReader
    }
    try watching.show(look, by: write)
  }
}

extension Arguments {
  /// Whether `option` asks to go on looking, which is for people.
  func isWatched(by option: Option, of command: Command) throws(UsageError) -> Bool {
    guard has(option) else { return false }
    guard !has(.json) else {
      throw UsageError(
        .badWord("--\(option.name)", expected: "write --\(option.name) or --json, not both"),
        command: command)
    }
    return true
  }
}
