internal import JobKit
internal import Jobs
internal import LocalTime

extension Command {
  /// Says what a day will bring.
  static let forecast: Command = Command(
    name: "forecast",
    summary: "say how much a job would do on a day, and when, by what is known now",
    discussion: """
      Asks every learner's facts, by the rules that the job itself goes by, and changes nothing. The day is
      each learner's own. On a terminal the hours are drawn as bars.
      """,
    words: [.job],
    options: [.config, .day, .json],
    examples: [
      (
        "worker forecast schedule_daily_push",
        "how many pushes go out today, hour by hour"
      )
    ],
    run: { arguments, console in
      let opened = try Opened.openLedger(arguments)
      let job = try opened.job(named: arguments[.job] ?? "", of: .forecast)
      let day = try arguments.day(.day, of: .forecast)
      let forecast = try ProgramJobs.forecaster(of: job, opened.loaded)
        .forecast(on: day, at: opened.now, in: opened.loaded.zones, opened.connection)
      try console.answer(
        forecast.text(in: console.style, withBars: StandardStream.output.isTerminal),
        forecast.facts, to: arguments)
      return .done
    })
}

extension Forecast {
  /// The forecast for people: a sentence, and a table for each of its charts.
  func text(in style: Style, withBars: Bool) -> String {
    let tables = charts.filter { !$0.bars.isEmpty }.map { $0.text(in: style, withBars: withBars) }
    return ([heading] + tables).joined(separator: "\n\n")
  }
}

extension Forecast.Chart {
  private static let width = 40

  fileprivate func text(in style: Style, withBars: Bool) -> String {
    var table = Table(title, "learners", "")
    let most = max(1, bars.map(\.count).max() ?? 1)
    for bar in bars {
      // Whatever is there at all is seen.
      let length = bar.count == 0 ? 0 : max(1, bar.count * Self.width / most)
      let line = withBars ? String(repeating: "█", count: length) : ""
      table.add(bar.label, "\(bar.count)", line)
    }
    return table.text(in: style)
  }
}
