internal import JobKit
internal import Jobs
internal import LocalTime
internal import Settings

/// What `worker why JOB --user` tells: what the job decided of one learner, or would decide.
enum LearnerWhy {
  static let discussion = """


    With --user it tells what the job decided of one learner's local day, or would decide now, by the
    rules that it goes by: 'worker why schedule_daily_push --user 17 --day 2026-03-01'.
    A time without an offset is one of the learner's zone, which the first line names.
    """

  static func explain(
    _ job: JobSettings, _ arguments: Arguments, _ session: borrowing LedgerSession
  ) throws -> LearnerExplanation {
    guard let text = arguments[.user] else {
      throw UsageError(.missingOption(.user), command: .why)
    }
    guard let learner = Int(text) else {
      throw UsageError(
        .badValue(text, of: .user, expected: "write the number of a learner, such as 17"),
        command: .why)
    }
    let day = try arguments.day(.day, in: session.zone, at: session.now, of: .why)
    let explainer = try ProgramJobs.explainer(of: job, session.loaded)
    return try explainer.explain(
      learner, on: day, at: session.now, in: session.loaded.zones, session.connection)
  }
}

extension Option {
  static let user = value("user", "LEARNER", "ask what the job decided of this learner")
  static let day = value(
    "day", "DATE",
    "the learner's local day, such as 2026-03-01, yesterday or tomorrow; else today")
}
