public import JobKit

/// Why a simulation ends before its time: what went wrong is no part of what it simulates.
public enum SimulationError: Error, Sendable, Equatable {
  case undecided(JobName, String)
  case broken(JobName, String)
}

extension SimulationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .undecided(let job, let reason):
      "the ticks of '\(job)' cannot be decided: \(reason); the simulation ends here"
    case .broken(let job, let reason):
      "what became of '\(job)' cannot be written: \(reason); the simulation ends here"
    }
  }
}
