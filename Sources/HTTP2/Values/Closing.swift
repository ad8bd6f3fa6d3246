/// Why a connection that worked is closed.
public enum Closing: Error, Sendable, Hashable {
  /// The server asked for it with GOAWAY.
  case goneAway(ErrorCode)

  /// The server closed it without a word.
  case ended

  /// It was cut, or TLS found it broken.
  case broken(String)

  /// The server did not answer a ping.
  case silent

  /// The server broke the rules of HTTP/2, or found that this side does.
  case outOfRules

  /// All numbers of streams are used up.
  case usedUp

  /// It had nothing to do.
  case resting

  /// An answer said that it is of no more use.
  case renewed

  /// The program ends.
  case drained

  /// The word by which closings are counted; there are as many as there are cases.
  public var reason: String {
    switch self {
    case .goneAway: "goaway"
    case .ended: "ended"
    case .broken: "reset"
    case .silent: "timeout"
    case .outOfRules: "protocol"
    case .usedUp: "used_up"
    case .resting: "idle"
    case .renewed: "renewed"
    case .drained: "drained"
    }
  }
}

extension Closing {
  /// The process was frozen while it had something in hand, which may leave no more.
  static let stoodStill = Closing.broken("this process stood still")

  /// What was to be written at `now` may leave no more, on a thread that was last seen to go on at `wentOnAt`.
  ///
  /// With something in hand a thread goes on every second: what it still has then, the server did not take.
  static func unwritten(
    at now: ContinuousClock.Instant, wentOnAt: ContinuousClock.Instant
  ) -> Closing {
    now - wentOnAt > .seconds(5)
      ? stoodStill : .broken("the server did not take what was written within 5 s")
  }
}

extension Closing: CustomStringConvertible {
  public var description: String {
    switch self {
    case .goneAway(let code): "the server said GOAWAY (\(code))"
    case .ended: "the server closed it"
    case .broken(let why): "it broke: \(why)"
    case .silent: "the server did not answer a ping"
    case .outOfRules: "the server and this program disagree about HTTP/2"
    case .usedUp: "all its stream numbers were used"
    case .resting: "it had nothing to do"
    case .renewed: "an answer asked for another connection"
    case .drained: "the program ended"
    }
  }
}
