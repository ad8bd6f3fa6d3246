internal import Config
import JobKit

/// How long rows are kept that nothing asks for any more.
public struct PurgeRules: Sendable, Equatable {
  /// How long a push is kept that has ended, with what happened to it.
  public var pushes = Duration.seconds(400 * 86_400)

  /// How long the reviews of a local day are kept.
  public var reviews = Duration.seconds(120 * 86_400)

  public init() {}
}

/// What the settings may change of it: the table `[purge]`.
extension PurgeRules {
  /// The planner asks for opened pushes of up to 367 days (`push.open_days`), and for reviews of up to 90
  /// (`push.review_days`): these are kept whatever the settings say.
  private static let pushes = Rule(
    "purge", "pushes", PurgeRules().pushes,
    in: .seconds(380 * 86_400)...(.seconds(3660 * 86_400)))
  private static let reviews = Rule(
    "purge", "reviews", PurgeRules().reviews,
    in: .seconds(100 * 86_400)...(.seconds(3660 * 86_400)))

  static let settings = [AnyRule(pushes), AnyRule(reviews)]

  init(_ book: RuleBook) {
    self.init()
    (pushes, reviews) = (book[Self.pushes], book[Self.reviews])
  }
}
