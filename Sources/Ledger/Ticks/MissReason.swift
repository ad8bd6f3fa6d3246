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
  /// What every reason has in it, so that an operator finds these ticks among others that were missed.
  public static let cause = "no daemon was looking"

  public var description: String {
    "\(Self.cause)\(consequence)"
  }

  private var consequence: String {
    switch self {
    case .notCaughtUp: "; missed ticks of this job are not run"
    case .newestRuns: "; the newest tick runs in its place"
    case .tooLate: " until it was too late"
    case .nowPaused: ", and now the job is paused"
    case .nowBlocked: ", and now the job lacks a table or a right"
    case .tooMany: "; more ticks were missed than may be run at once"
    }
  }
}
