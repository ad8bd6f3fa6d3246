internal import JobKit

extension Command {
  /// Shows what runs now.
  static let ps: Command = Command(
    name: "ps",
    summary: "show what runs now: progress, rate, time left, lease",
    discussion: """
      One line for each part that a worker holds, on whatever host.
      """,
    options: [.config, .json] + Option.ofTables,
    examples: [
      (
        "worker ps",
        "what every worker on every host is at"
      )
    ],
    run: { arguments, console in
      let opened = try Opened.openLedger(arguments)
      let parts = try Ledger.parts(on: opened.connection)
      if arguments.has(.json) {
        try console.print(JSON.array(parts.map { $0.json(at: opened.now) }).pretty)
      } else {
        guard !parts.isEmpty else {
          try console.print("nothing runs")
          return .done
        }
        try console.show(PartTable.of(parts, at: opened.now), arguments, of: .ps)
      }
      return .done
    })
}
