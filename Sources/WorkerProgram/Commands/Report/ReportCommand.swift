internal import Config
internal import JobKit
internal import LocalTime
internal import Settings

extension Command {
  /// Says in plain words what the worker did.
  static let report: Command = Command(
    name: "report",
    summary: "say in plain words what ran and what failed"
      + LearningApp.whenOn(", and what came of it for learners"),
    discussion: """
      Each time in which the worker was down comes first, from its beginning to its end, also where the
      report has only a share of it; then what ran and how often, whether it was on time, what failed and
      whether a later run made it good: for the last week, or another time, beside the time before. Times
      are those of the zone of the settings. It reads and changes nothing.

      With --json the times in which the worker was down are "outages": "begin", "end", "seconds" without
      moments in which it was back and worked, how many runs were "missed" (null: forgotten), and whether
      it "had_daemon", one that was stopped or cut off from the database. One that goes on is
      "lasting_outage", else null: "begin" and how many runs that came due are "undecided".

      The ledger forgets successes after a while ([retention] in the settings): where the time before is
      longer ago, there is no comparison, and what is older is not in the report.
      """
        + LearningApp.whenOn(
          """


          It tells also what came of it for learners: pushes sent and opened, streaks, rewards, leaderboards.
          """),
    options: [.config, .lastDay, .lastWeek, .reportFrom, .reportTo, .markdown, .json, .wide],
    examples: [
      ("worker report", "the last seven days"),
      ("worker report --day --markdown", "the last day, for a chat or a wiki"),
    ],
    run: { arguments, console in
      let session = try LedgerSession.openLedger(arguments)
      let zone = try session.loaded.zones.zone(named: session.settings.time.zone)
      let period = try ReportPeriod(arguments, at: session.now, in: zone)
      let report = try Report.make(of: period, from: session)
      if arguments.has(.json) {
        try console.print(report.json.pretty)
      } else {
        try console.print(
          arguments.has(.markdown)
            ? report.markdown : report.text(in: console.style(for: arguments)))
      }
      return .done
    })
}

extension Option {
  fileprivate static let markdown = flag("markdown", "print Markdown, for a chat or a wiki")
}
