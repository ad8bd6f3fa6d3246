internal import JobKit
internal import Jobs
internal import LocalTime

/// What `worker why JOB --user` tells: what the job decided of one learner, or would decide.
enum LearnerWhy {
  static func explain(
    _ job: JobSettings, _ arguments: Arguments, _ opened: borrowing Opened
  ) throws -> LearnerExplanation {
    guard let text = arguments[.user] else {
      throw UsageError(.missingOption(.user), command: .why)
    }
    guard let learner = Int(text) else {
      throw UsageError(
        .badValue(text, of: .user, expected: "write the number of a learner, such as 17"),
        command: .why)
    }
    let day = try arguments.day(.day, of: .why)
    let explainer = try ProgramJobs.explainer(of: job, opened.loaded)
    return try explainer.explain(
      learner, on: day, at: opened.now, in: opened.loaded.zones, opened.connection)
  }
}

extension Option {
  static let user = value("user", "LEARNER", "ask what the job decided of this learner")
  static let day = value("day", "DATE", "the learner's local day, such as 2026-03-01; else today")
}

extension Arguments {
  /// The local date that an option names.
  func day(_ option: Option, of command: Command) throws(UsageError) -> CivilDate? {
    guard let text = self[option] else { return nil }
    do throws(TimeTextError) {
      return try CivilDate(text)
    } catch .notADate {
      throw UsageError(
        .badValue(text, of: option, expected: "write a date such as 2026-03-08"), command: command)
    } catch {
      throw UsageError(.badValue(text, of: option, expected: "\(error)"), command: command)
    }
  }
}
