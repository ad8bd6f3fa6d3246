import Config
import JobKit
import LocalTime

/// What the settings may change of the job: the table `[sessions]`.
struct SessionRules {
  private static let kept = Rule(
    "sessions", "kept", Duration.seconds(30 * 86_400),
    in: .seconds(86_400)...(.seconds(3660 * 86_400)))

  static let settings = [AnyRule(kept)]

  /// How long after its end a session is kept.
  let kept: Duration

  init(_ book: RuleBook = RuleBook()) {
    kept = book[Self.kept]
  }
}
