import HTTP2
import LocalTime
import Push

/// Pushes to a strict server in the place of Apple's.
extension StrictServer {
  static let now = LocalTime.Instant(secondsSince1970: 1_773_000_000)

  func transport(
    _ policy: PoolPolicy = PoolPolicy(), telling observer: (any RequestObserver)? = nil
  ) -> ProviderTransport {
    let tokens = AppleTokenSource(AppleTokens { _ throws(SigningKeyError) in Secret("token") })
    let sender = StreamSender(
      to: AppleProvider(AppleTerms(topic: "org.example"), tokens: tokens),
      by: ConnectionPool(to: origin, policy, observer: observer),
      rate: PushRate(most: 100_000, ramp: .zero), now: { Self.now })
    return ProviderTransport([PushPlace(.apns): sender])
  }

  /// So many pushes, each of its own learner.
  static func pushes(_ count: Int, claimedBy claim: String = "") -> [PushMessage] {
    (0..<count).map { number in
      var push = PushMessage(
        id: "\(number)/2026-03-08", token: PushToken("a1b2"), title: "t", body: "b", link: "l",
        expiresAt: now.secondsSince1970 + 3600)
      push.claim = claim
      return push
    }
  }
}

extension Delivery {
  var isTaken: Bool {
    switch self {
    case .sent, .accepted: true
    case .refused, .rejected, .notSent, .uncertain: false
    }
  }
}
