internal import Config
internal import JobKit
internal import Jobs
internal import LocalTime
internal import Settings

extension Command {
  /// Says what a day will bring.
  static let forecast: Command = Command(
    name: "forecast",
    summary: "say how much a job has done and will do on a day, and when, by what is known now",
    discussion: """
      Counts each learner once, and changes nothing: by what is written down of the day where something is,
      else by the rules that the job itself goes by. Of a day that has begun it tells what was done so far,
      what is still to come and for how many it is too late; of one of the last seven days also who would
      have got something while no run looked. The day is each learner's own. On a terminal the hours are
      drawn as bars, and those that are over for everybody are marked.
      """,
    words: [.job],
    options: [.config, .day, .json, .wide],
    examples: [
      (
        "worker forecast schedule_daily_push",
        "how many pushes go out today, hour by hour"
      )
    ],
    run: { arguments, console in
      let session = try LedgerSession.openLedger(arguments)
      let job = try session.job(named: arguments[.job] ?? "", of: .forecast)
      let day = try arguments.day(.day, in: session.zone, at: session.now, of: .forecast)
      let forecast = try ProgramJobs.forecaster(of: job, session.loaded)
        .forecast(on: day, at: session.now, in: session.loaded.zones, session.connection)
      let times = Times(zone: try session.zone, now: session.now)
      if let absence = try session.absence(times) { console.remark(absence) }
      let style = console.style(for: arguments)
      // Its headings are dressed: what may hold control characters is shown by the text itself.
      try console.print(
        arguments.has(.json)
          ? forecast.facts.pretty
          : forecast.text(in: style, withBars: StandardStream.output.isTerminal))
      return .done
    })
}
