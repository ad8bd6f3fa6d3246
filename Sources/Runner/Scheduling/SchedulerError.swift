public import JobKit

/// Why a job cannot be decided.
public enum SchedulerError: Error, Equatable {
  case unknownJob(JobName)
}

extension SchedulerError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownJob(let name):
      "the ledger has no row for the job '\(name)': somebody deleted it; the next try enters it anew"
    }
  }
}
