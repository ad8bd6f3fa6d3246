/// A page of the manual, written once for those who read it in a terminal or in a browser.
struct Manual {
  let name: String

  /// The part of the manual: 1 for commands, 5 for files.
  let section: Int

  /// What the name stands for, on the line that searches show.
  let summary: String

  let blocks: [Block]

  enum Block: Equatable {
    case heading(String)
    case subheading(String)

    /// Text to be wrapped; what stands between backticks is a thing to write.
    case paragraph(String)

    /// Lines that stand as they are.
    case lines([String])

    /// What one writes, and what that means.
    case term([String], String)
  }
}

extension Manual {
  /// Every page, by the name that `worker manual` takes.
  static let pages: [(name: String, make: @Sendable () -> Manual)] = [
    ("worker", { program }), ("worker.toml", { settings }),
  ]
}

extension String {
  /// The paragraphs of a text in which an empty line ends one.
  var paragraphs: [String] {
    split(separator: "\n", omittingEmptySubsequences: false)
      .split(separator: "").map { $0.joined(separator: " ") }
  }
}
