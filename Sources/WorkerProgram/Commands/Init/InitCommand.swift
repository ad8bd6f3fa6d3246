internal import Config
internal import JobKit

extension Command {
  private static let kinds = Starter.Kind.allCases.map(\.rawValue)
  private static let folder = Word(name: "DIR", help: "the folder, which may be new")

  /// Writes a beginning.
  static let `init`: Command = Command(
    name: "init",
    summary: "write a settings file, a drop-in for systemd and a job that runs at once",
    discussion: """
      Writes an example into a folder, and says what to type next: with '--for sql', the default, a job in
      SQL in the settings file alone; with '--for command' a job there that runs a program; with '--for
      swift' a package with a job, its settings and its test, which is built into a worker of your own. A
      file that is there already is never written over: then nothing is written, and it ends with 75.
      """,
    words: [folder],
    options: [.initFor],
    examples: [],
    run: { arguments, console in
      let text = arguments[.initFor] ?? Starter.Kind.sql.rawValue
      guard let kind = Starter.Kind(rawValue: text) else {
        throw UsageError(
          .badValue(text, of: .initFor, expected: "write \(kinds.listed(with: "or"))"),
          command: .`init`)
      }
      try console.print(try Starter(kind, in: arguments[folder] ?? "").write())
      return .done
    })
}

extension Option {
  fileprivate static let initFor = value(
    "for", Starter.Kind.allCases.map(\.rawValue).joined(separator: "|"),
    "what the job is written in; else sql", choices: Starter.Kind.allCases.map(\.rawValue))
}
