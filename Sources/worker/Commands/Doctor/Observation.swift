/// What a check of the doctor saw: how bad it is, and what to do about it.
struct Observation: Sendable, Equatable {
  let severity: Severity
  let saw: String

  /// What to do; nothing when nothing is to be done.
  let remedy: String?

  enum Severity: Int, Comparable, CaseIterable, Sendable {
    case ok
    case note
    case warning
    case problem

    static func < (one: Severity, other: Severity) -> Bool { one.rawValue < other.rawValue }
  }
}

extension Observation {
  static func ok(_ saw: String) -> Observation {
    Observation(severity: .ok, saw: saw, remedy: nil)
  }

  static func note(_ saw: String, do remedy: String? = nil) -> Observation {
    Observation(severity: .note, saw: saw, remedy: remedy)
  }

  static func warning(_ saw: String, do remedy: String) -> Observation {
    Observation(severity: .warning, saw: saw, remedy: remedy)
  }

  static func problem(_ saw: String, do remedy: String) -> Observation {
    Observation(severity: .problem, saw: saw, remedy: remedy)
  }
}

extension [Observation] {
  /// These, or that all is well when there are none.
  func orWell(_ saw: String) -> [Observation] { isEmpty ? [.ok(saw)] : self }
}
