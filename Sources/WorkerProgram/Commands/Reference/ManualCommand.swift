internal import Config
internal import JobKit
internal import LocalTime

extension Command {
  private static let page = Word(
    name: Manual.pages.map(\.name).joined(separator: "|"), isOptional: true,
    help: "the page: the commands, which is the default, or the settings")

  /// Prints a page of the manual.
  static let manual: Command = Command(
    name: "manual",
    summary: "print the manual, of the commands or of the settings",
    discussion: """
      Writes the page as 'man' reads it: 'worker manual | man -l -' shows it. The Debian package brings both
      as worker(1) and worker.toml(5). The page of the settings has every key with its default and its
      limits, as this program reads them.

      It bears no date but that of $SOURCE_DATE_EPOCH.
      """,
    words: [page],
    options: [.markdown, .json],
    examples: [
      ("worker manual", "the commands, for man"),
      ("worker manual worker.toml --markdown", "the settings, for a browser"),
    ],
    run: { arguments, console in
      let name = arguments[page] ?? "worker"
      guard let manual = Manual.pages.first(where: { $0.name == name })?.make() else {
        throw UsageError(
          .badWord(name, expected: "write worker or worker.toml"), command: .manual)
      }
      if arguments.has(.json) {
        try console.print(manual.json.pretty)
      } else {
        try console.print(
          arguments.has(.markdown) ? manual.markdown : manual.roff(date: dateOfBuild))
      }
      return .done
    })

  /// The day that whoever builds a package says it is of.
  private static var dateOfBuild: String {
    guard let text = Environment["SOURCE_DATE_EPOCH"], let seconds = Int(text) else { return "" }
    return String(Instant(secondsSince1970: seconds).description.prefix(10))
  }
}

extension Option {
  fileprivate static let markdown = flag("markdown", "print Markdown, for a browser")
}
