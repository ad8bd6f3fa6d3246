/// What is wrong with a setting.
///
/// Names are paths as an operator would say them: 'log.format' is `format` in the table `[log]`.
public enum SettingsFault: Error, Sendable, Hashable {
  case syntax(String)
  case unknown(name: String, nearest: String?, known: [String])
  /// The value is of another kind or not allowed; `found` is the kind or the value in quotes.
  case refused(name: String, found: String, wanted: String)
  /// One of the values in a list.
  case badElement(name: String, found: String, wanted: String)
  case forbidden(name: String, reason: String)
  /// Two values that may each be written, but not together.
  case aboveBound(name: String, value: String, bound: String, limit: String)
  case unknownJob(name: String, nearest: String?, known: [String])
  case badJobName(String)
  case jobTwice(written: String, job: String, firstLine: Int)
  case twoSchedules(job: String)
  case badSchedule(String)
  case badZone(String)
  case badDays(String)
  case unknownCalendar(name: String, nearest: String?, known: [String])
  case noZones(String)
  /// A text for people that cannot be used.
  case badMessage(String)
  /// Allowed, and may still not be what was meant.
  case remark(String)
}

extension SettingsFault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknown(let name, let nearest, let known):
      "unknown setting \(name.inQuotes): \(Self.advice(nearest: nearest, known: known))"
    case .refused(let name, let found, let wanted):
      "\(name.inQuotes) is \(found): write \(wanted)"
    case .badElement(let name, let found, let wanted):
      "\(name.inQuotes) holds \(found): write \(wanted)"
    case .forbidden(let name, let reason):
      "'\(name)' \(reason)"
    case .aboveBound(let name, let value, let bound, let limit):
      "'\(name)' is \(value), more than '\(bound)', which is \(limit): lower the one or raise the"
        + " other"
    case .unknownJob(let name, _, []):
      "unknown job \(name.inQuotes): write a 'kind' into its table, which says what it does"
    case .unknownJob(let name, let nearest, let known):
      "unknown job \(name.inQuotes): \(Self.advice(nearest: nearest, known: known))"
    case .unknownCalendar(let name, _, []):
      "unknown calendar \(name.inQuotes): write a table [calendars.NAME] with its days first"
    case .unknownCalendar(let name, let nearest, let known):
      "unknown calendar \(name.inQuotes): \(Self.advice(nearest: nearest, known: known))"
    case .jobTwice(let written, let job, let firstLine):
      "\(written.inQuotes) is the job '\(job)', which line \(firstLine) sets already: keep one"
    case .twoSchedules(let job):
      "'jobs.\(job)' has both 'schedule' and 'every': keep one"
    case .badJobName(let reason), .badDays(let reason): reason
    case .syntax(let reason), .badSchedule(let reason), .badZone(let reason), .noZones(let reason),
      .badMessage(let reason), .remark(let reason):
      reason.onOneLine
    }
  }

  private static func advice(nearest: String?, known: [String]) -> String {
    if let nearest { return "did you mean '\(nearest)'?" }
    return "write \(known.listed(with: "or"))"
  }
}

extension [String] {
  /// The words as a sentence lists them: "auto, human or json".
  package func listed(with conjunction: String) -> String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}
