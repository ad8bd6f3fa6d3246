internal import Config

/// Why a text cannot name a job.
public enum JobNameError: Error, Sendable, Hashable {
  /// It has characters that no name has.
  case unreadable(String)
  /// It has more characters than a name may have.
  case tooLong(String)
}

extension JobNameError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let text):
      "\(text.inQuotes) cannot name a job: write words of ASCII letters and digits that start with"
        + " a letter, such as schedule_daily_push"
    case .tooLong(let text):
      "\(text.inQuotes) is too long to name a job: write at most \(JobName.longest) letters"
    }
  }
}
