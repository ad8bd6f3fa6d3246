import LocalTime

/// What becomes of a learner's push of a day, and what it says.
struct PushDecision: Sendable, Equatable {
  let user: Int
  let plan: PushPlan
  let verdict: Verdict
  let message: PushChoice

  enum Verdict: Sendable, Equatable {
    case planned
    case suppressed(PushReason)
    case expired(PushReason)
  }

  var state: PushState {
    switch verdict {
    case .planned: .planned
    case .suppressed: .suppressed
    case .expired: .expired
    }
  }

  var reason: PushReason? {
    switch verdict {
    case .planned: nil
    case .suppressed(let reason), .expired(let reason): reason
    }
  }
}
