/// What became of a push that was sent.
///
/// The difference between `notSent` and `uncertain` is what keeps a learner from being pushed twice: only
/// what certainly never left may be sent again.
public enum Delivery: Sendable, Equatable {
  /// The provider has taken it.
  case sent

  /// The provider has taken it, and calls it by this name.
  case accepted(as: String)

  /// The provider will never take a push for this device again: it is gone.
  case refused(String)

  /// The provider will not take this push for any device, such as one that is too long.
  case rejected(String)

  /// It certainly never left, or the provider did not take it now: it may be tried again, not before `wait`
  /// is over where there is one.
  case notSent(String, wait: Duration? = nil)

  /// Nobody knows: it counts as sent, and is not sent again.
  case uncertain(String)
}
