internal import JobKit
internal import Ledger
internal import LocalTime
internal import Settings

extension Option {
  static let ofJob = value("job", "JOB", "only the runs of this job")
  fileprivate static let state = value(
    "state", "STATE", "only runs in this state",
    choices: RunState.allCases.map(\.rawValue))
  fileprivate static let trigger = value(
    "trigger", "TRIGGER",
    "only runs that go back to this: the schedule, a person, a backfill, or the app",
    choices: RunTrigger.allCases.map(\.rawValue))
  fileprivate static let text = value(
    "text", "TEXT", "only runs whose reason, error or author has this text, in any case")
  static let since = value(
    "since", "WHEN", "only runs from then on: \(WrittenInstant.forms)")
  fileprivate static let until = value("until", "WHEN", "only runs before then")
  fileprivate static let limit = value("limit", "N", "at most N lines; else 50", short: "n")

  /// What chooses the runs that are shown.
  static let choosingRuns: [Option] = [.ofJob, .state, .trigger, .text, .since, .until, .limit]
}

/// The values of the options that choose runs.
enum RunQuery {
  /// Which runs a call asks for.
  static func filter(
    _ arguments: Arguments, _ session: borrowing LedgerSession
  ) throws -> Ledger.RunFilter {
    var filter = Ledger.RunFilter()
    let job = try job(arguments, session)
    filter.job = job?.name
    filter.state = try arguments[.state].map(state)
    filter.trigger = try arguments[.trigger].map(trigger)
    filter.text = arguments[.text]
    let zone = try job?.schedule.zone ?? session.zone
    filter.since = try arguments.instant(.since, in: zone, at: session.now, of: .runs)
    filter.until = try arguments.instant(.until, in: zone, at: session.now, of: .runs)
    if let since = filter.since, let until = filter.until {
      try arguments.check(until, of: .until, isAfter: since, named: "since", command: .runs)
    }
    filter.limit = try arguments.number(.limit, from: 1, to: 10_000, of: .runs) ?? 50
    return filter
  }

  private static func job(
    _ arguments: Arguments, _ session: borrowing LedgerSession
  ) throws -> JobSettings? {
    if let word = arguments[Word.job], let option = arguments[.ofJob], word != option {
      throw UsageError(
        .badValue(option, of: .ofJob, expected: "the job is '\(word)' already: write one of them"),
        command: .runs)
    }
    return try (arguments[Word.job] ?? arguments[.ofJob]).map {
      try session.job(named: $0, of: .runs)
    }
  }

  private static func state(_ text: String) throws(UsageError) -> RunState {
    guard let state = RunState(rawValue: text) else {
      let states = Option.state.choices.joined(separator: ", ")
      throw UsageError(
        .badValue(text, of: .state, expected: "write one of \(states)"), command: .runs)
    }
    return state
  }

  private static func trigger(_ text: String) throws(UsageError) -> RunTrigger {
    guard let trigger = RunTrigger(rawValue: text) else {
      throw UsageError(
        .badValue(text, of: .trigger, expected: "write schedule, manual, backfill or request"),
        command: .runs)
    }
    return trigger
  }
}
