import Config
import JobKit

/// What the settings may change of the job: the table `[drafts]`.
public struct DraftRules: Sendable {
  private static let kept = Rule(
    "drafts", "kept", Duration.seconds(7 * 86_400),
    in: .seconds(86_400)...(.seconds(366 * 86_400)))

  public static let settings = [AnyRule(kept)]

  /// How long after its last edit a draft is kept.
  public let kept: Duration

  public init(_ book: RuleBook = RuleBook()) {
    kept = book[Self.kept]
  }
}
