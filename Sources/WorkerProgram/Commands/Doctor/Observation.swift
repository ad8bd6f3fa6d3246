/// What a check of the doctor saw: how bad it is, why that matters, and what to do about it.
struct Observation: Sendable, Equatable {
  let severity: Severity
  let saw: String

  /// What comes of it; nothing where that needs no word.
  let why: String?

  /// What to do; nothing when nothing is to be done.
  let remedy: String?

  /// What there is to say of it instead in the database of script/demo, where it is as it should be.
  private var excuse: Excuse?

  private struct Excuse: Equatable {
    let why: String
    let remedy: String?
  }

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
    Observation(severity: .ok, saw: saw, why: nil, remedy: nil)
  }

  static func note(_ saw: String, why: String? = nil, do remedy: String? = nil) -> Observation {
    Observation(severity: .note, saw: saw, why: why, remedy: remedy)
  }

  static func warning(_ saw: String, why: String, do remedy: String) -> Observation {
    Observation(severity: .warning, saw: saw, why: why, remedy: remedy)
  }

  static func problem(_ saw: String, why: String, do remedy: String) -> Observation {
    Observation(severity: .problem, saw: saw, why: why, remedy: remedy)
  }

  /// The same, which is no more than worth a note where script/demo made the database.
  func excused(inDemonstration why: String, do remedy: String? = nil) -> Observation {
    var excused = self
    excused.excuse = Excuse(why: why, remedy: remedy)
    return excused
  }

  /// What it is in the database of script/demo.
  var inDemonstration: Observation {
    guard let excuse else { return self }
    return .note(saw, why: excuse.why, do: excuse.remedy)
  }
}

extension [Observation] {
  /// These, or that all is well when there are none.
  func orWell(_ saw: String) -> [Observation] { isEmpty ? [.ok(saw)] : self }
}
