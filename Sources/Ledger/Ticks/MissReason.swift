/// Why a tick that was to run did not.
public enum MissReason: Sendable, Equatable {
  /// The job wants no tick that was missed.
  case notCaughtUp
  case newestRuns
  case tooLate
  case nowPaused
  case nowBlocked
  case tooMany
}

extension MissReason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notCaughtUp: "no daemon was looking; missed ticks of this job are not run"
    case .newestRuns: "no daemon was looking; the newest tick runs in its place"
    case .tooLate: "no daemon was looking until it was too late"
    case .nowPaused: "no daemon was looking, and now the job is paused"
    case .nowBlocked: "no daemon was looking, and now the job lacks a table or a right"
    case .tooMany: "no daemon was looking; more ticks were missed than may be run at once"
    }
  }
}
