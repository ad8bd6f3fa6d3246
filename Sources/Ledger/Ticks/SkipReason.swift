/// Why a tick was not to run.
public enum SkipReason: Sendable, Equatable {
  case notInForce
  case disabled
  case paused(by: String, because: String)
  case blocked(because: String)

  /// Its day is excluded by a calendar, in the words of ``Exclusions/reason(at:)``.
  case excluded(String)

  /// An earlier run of the job is not over, and perhaps another waits for its end already.
  case overlap(anotherWaits: Bool)
  case noDaemon

  /// Whether somebody wants it not to run: by a pause, a calendar, the settings.
  package var isOrdered: Bool {
    switch self {
    case .overlap, .noDaemon: false
    case .notInForce, .disabled, .paused, .blocked, .excluded: true
    }
  }
}

extension SkipReason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notInForce: "it had passed when these rules of its zone came into force"
    case .disabled: "disabled in the settings"
    case .paused(let author, let reason): "paused by \(author): \(reason)"
    case .blocked(let reason): "blocked: \(reason)"
    case .excluded(let reason): reason
    case .overlap(anotherWaits: false): "overlap: an earlier run is not over"
    case .overlap(anotherWaits: true):
      "overlap: an earlier run is not over, and another waits for its end"
    case .noDaemon: "no daemon alive has code for it"
    }
  }
}
