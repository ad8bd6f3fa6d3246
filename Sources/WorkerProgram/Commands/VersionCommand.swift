internal import Config
internal import JobKit
internal import LocalTime
internal import Postgres

extension Command {
  /// Says what this program is.
  static let version: Command = Command(
    name: "version",
    summary: "say which version this is, and of what",
    discussion: """
      Prints the version of the program, the commit, the Swift and the libpq that it was built with,
      and the version of the time zone data of this machine. Which libpq it runs with is asked of
      'worker doctor'. 'worker --version', 'worker -v' and 'worker -V' do the same.
      """,
    options: [.json],
    examples: [
      ("worker version", "for people"),
      ("worker version --json", "for machines: an object with a member for each line"),
    ],
    run: { arguments, console in
      let parts = Build.parts
      if arguments.has(.json) {
        try console.print(JSON.object(parts.map { JSON.Member($0.name, .string($0.value)) }).pretty)
      } else {
        try console.print("worker \(Build.version)")
        let widest = parts.map(\.name.count).max() ?? 0
        for part in parts.dropFirst() {
          let blanks = String(repeating: " ", count: widest - part.name.count + 2)
          try console.print("  \(part.name)\(blanks)\(part.value)")
        }
      }
      return .done
    })
}

extension Build {
  /// Everything that this program is made of, by name.
  fileprivate static var parts: [(name: String, value: String)] {
    [
      ("version", version),
      ("commit", commit),
      ("swift", swift),
      ("libpq", Libpq.builtFor),
      ("tzdata", tzdata),
    ]
  }

  private static var tzdata: String {
    let root = ZoneDatabase.root(configured: nil, environment: Environment.ofZones)
    return (try? ZoneDatabase.version(ofRoot: root)) ?? "missing"
  }
}
