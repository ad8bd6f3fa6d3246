internal import Config

/// Why a text cannot name a job.
public enum JobNameError: Error, Sendable, Hashable {
  case unreadable(String)
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
