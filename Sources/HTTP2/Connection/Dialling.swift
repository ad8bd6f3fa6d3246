/// Which of a server's addresses is tried when: the next one a moment after the one before, or when that has failed.
struct Dialling: Equatable {
  enum Step: Equatable {
    /// Try the address of that number.
    case dial(Int)

    /// Nothing to do before that moment.
    case wait(until: Instant)

    /// Every address has failed.
    case lost
  }

  private let count: Int
  private let between: Duration
  private var next = 0
  private var open = 0
  private var dueAt: Instant

  init(addresses count: Int, between: Duration, at now: Instant) {
    (self.count, self.between, dueAt) = (count, between, now)
  }

  /// What to do at `now`; whoever asks does it.
  mutating func step(at now: Instant) -> Step {
    guard next < count else { return open > 0 ? .wait(until: .distant(from: now)) : .lost }
    guard now >= dueAt || open == 0 else { return .wait(until: dueAt) }
    defer {
      next += 1
      open += 1
      dueAt = now + between
    }
    return .dial(next)
  }

  /// One of the addresses has failed: the next one need not wait.
  mutating func fail(at now: Instant) {
    open -= 1
    dueAt = now
  }
}

extension Instant {
  /// So far away that something else happens first.
  static func distant(from now: Instant) -> Instant {
    now + .seconds(86400)
  }
}
