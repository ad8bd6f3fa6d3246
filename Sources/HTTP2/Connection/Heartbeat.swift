/// Whether the server is still there, by what is heard of it.
struct Heartbeat {
  private let limits: ConnectionLimits
  private var heardAt: Instant
  private var askedAt: Instant?

  /// How many requests in a row had no answer in time.
  private var timeouts = 0

  init(_ limits: ConnectionLimits, at now: Instant) {
    (self.limits, heardAt) = (limits, now)
  }

  /// When there is something to do if nothing is heard.
  var deadline: Instant {
    askedAt.map { $0 + limits.pong } ?? heardAt + limits.idle
  }

  mutating func hear(at now: Instant) {
    heardAt = now
  }

  mutating func hearAnswer() {
    timeouts = 0
  }

  /// Counts a request without an answer in time; whether the server is to be asked now.
  mutating func missAnswer(at now: Instant) -> Bool {
    timeouts += 1
    guard timeouts >= limits.timeoutsBeforePing, askedAt == nil else { return false }
    timeouts = 0
    askedAt = now
    return true
  }

  /// The answer to a ping, and how long it took; nil when nobody asked.
  mutating func hearPong(at now: Instant) -> Duration? {
    guard let asked = askedAt.take() else { return nil }
    return now - asked
  }

  enum Judgement {
    case fine
    case ask
    case dead
  }

  mutating func judge(at now: Instant) -> Judgement {
    guard now >= deadline else { return .fine }
    guard askedAt == nil else { return .dead }
    askedAt = now
    return .ask
  }
}
