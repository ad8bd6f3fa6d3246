internal import JobKit
internal import LocalTime

extension Command {
  /// Shows when a schedule fires.
  static let next: Command = Command(
    name: "next",
    summary: "show when a schedule fires, and why then",
    discussion: """
      Prints the firings of a schedule: the instant in UTC, the local time with its offset, and a note
      where a change of the clocks decided something.

      A schedule is a cron expression of five fields, minute hour day month weekday, or of six with
      leading seconds. When its hours are all 24 it follows real time through every change of the clock;
      otherwise each local date and time that it names fires exactly once: at the first of two, or, where
      the clock jumps over it, at the first moment after the jump.

      The firings are those at or after --from and before --to.
      """,
    options: [.schedule, .zone, .dst, .from, .to, .count, .json],
    examples: [
      (
        "worker next --schedule '0 9 * * MON-FRI' --zone Europe/Zurich", "the next ten working days"
      ),
      (
        "worker next --schedule '30 2 * * *' --zone America/New_York --from 2026-03-07 --count 3",
        "through the night in which the clocks jump over 02:30"
      ),
      (
        "worker next --schedule '*/15 * * * *' --from 2026-11-01 --to 2026-11-02 --json",
        "all of one day, for machines"
      ),
    ],
    run: { arguments, console in
      let request = try FiringRequest(arguments, now: SystemClock.now())
      let firings = request.firings
      if arguments.has(.json) {
        try console.print(JSON.array(firings.map(\.json)).pretty)
      } else {
        try console.print(
          firings.isEmpty ? "it does not fire then" : table(of: firings, in: console))
        for remark in request.schedule.cron.remarks { console.remark(remark) }
      }
      if let more = request.firing(after: firings) {
        console.remark(
          "the first \(firings.count) are shown: go on with --from \(more.instant)")
      }
      return .done
    })

  private static func table(of firings: [Firing], in console: Console) -> String {
    var table = Table("scheduled for", "local", "day", "note")
    for firing in firings {
      table.add(
        firing.instant.description, firing.instant.text(in: firing.zone),
        "\(firing.local.date.weekday)", firing.note ?? "")
    }
    return table.text(in: console.style)
  }
}

extension Firing {
  fileprivate var json: JSON {
    [
      "scheduled_for": .string(instant.description),
      "local": .string(instant.text(in: zone)),
      "note": JSON(note),
    ]
  }
}
