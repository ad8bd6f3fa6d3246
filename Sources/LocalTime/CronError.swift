/// Why a cron expression is refused.
public enum CronError: Error, Equatable {
  case wrongFieldCount(String, count: Int)
  case unknownNickname(String, suggestion: String?)
  case reboot
  case every(String)
  case unreadable(String, in: CronField)
  case outOfRange(String, in: CronField)
  case badStep(String, in: CronField)
  case stepWithoutRange(String, in: CronField, fix: String)
  case backwards(String, in: CronField, fix: String)
  case notOffered(String, in: CronField, fix: String)
  case starInList(String, in: CronField)
  case ambiguousDays(day: String, weekday: String)
  case neverComes(days: String, months: String, longest: Int)
}

extension CronError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .wrongFieldCount(let text, let count):
      "'\(text)' has \(count) \(count == 1 ? "field" : "fields"): write five, minute hour day"
        + " month weekday, such as '30 2 * * *', or six with seconds first"
    case .unknownNickname(let text, let suggestion?):
      "unknown schedule '\(text)': did you mean '\(suggestion)'?"
    case .unknownNickname(let text, nil):
      "unknown schedule '\(text)': write one of \(Cron.nicknameList)"
    case .reboot:
      "'@reboot' has no meaning for a job that any of many daemons may run: write a time,"
        + " such as @hourly"
    case .every(let text):
      "'\(text)' is no cron expression: write every = '15m' in place of a schedule, or a rhythm"
        + " of the clock, such as '*/15 * * * *'"
    default: "\(subject): \(fix)"
    }
  }

  private var subject: String {
    switch self {
    case .unreadable(let text, let field): "cannot read '\(text)' in the \(field) field"
    case .outOfRange(let text, let field): "'\(text)' in the \(field) field is out of range"
    case .badStep(let text, let field): "the step of '\(text)' in the \(field) field is no step"
    case .stepWithoutRange(let text, let field, _):
      "'\(text)' in the \(field) field has a step but no range"
    case .backwards(let text, let field, _): "'\(text)' in the \(field) field runs backwards"
    case .notOffered(let text, let field, _):
      "'\(text)' in the \(field) field is not offered here"
    case .starInList(let text, let field):
      "'\(text)' in the \(field) field lists more than everything"
    case .ambiguousDays(let day, let weekday):
      "day '\(day)' with weekday '\(weekday)' means both to some programs and either to others"
    case .neverComes(let days, let months, _): "day '\(days)' never comes in month '\(months)'"
    default: ""
    }
  }

  private var fix: String {
    switch self {
    case .unreadable(_, let field): "write \(field.examples)"
    case .outOfRange(_, let field):
      "write \(field.allowed.lowerBound) to \(field.allowed.upperBound)"
    case .badStep(_, let field): "write 1 to \(field.everything.count - 1)"
    case .stepWithoutRange(_, _, let fix), .backwards(_, _, let fix), .notOffered(_, _, let fix):
      "write \(fix)"
    case .starInList: "write * alone, or only the values"
    case .ambiguousDays:
      "write out the days in one of them, or make one of them *"
    case .neverComes(_, _, let longest): "write a day from 1 to \(longest)"
    default: ""
    }
  }
}
