internal import Config
public import JobKit
internal import LocalTime

/// What became of a part in the hands of one worker.
public indirect enum PartOutcome: Sendable {
  case succeeded(Outcome)
  case cancelled
  case failed(String)
  case retry(String, after: Duration)

  /// Its run must be approved of before it goes on.
  case held(Held)

  /// Given back because the daemon ends.
  case released

  /// It belongs to another worker now; nothing was written.
  case lost(String)

  /// It could not be written, so the lease runs out and another worker goes on.
  case unwritten(PartOutcome, any Error)
}

/// A run would touch fewer or more than it may without somebody's approval.
public struct Held: Error, Sendable, Equatable {
  public let planned: Int
  public let objection: String
}

extension PartOutcome: CustomStringConvertible {
  public var description: String {
    switch self {
    case .succeeded(let outcome): "succeeded: \(outcome.summary)"
    case .cancelled: "cancelled"
    case .failed(let error): "failed: \(error)"
    case .retry(let error, let wait): "failed: \(error); tries again in \(wait.inWords)"
    case .held(let held): "held before its first effect: \(held.objection)"
    case .released: "released"
    case .lost(let why): why
    case .unwritten(let end, let error): "\(end), which could not be written: \(error)"
    }
  }
}
