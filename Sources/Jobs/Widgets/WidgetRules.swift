internal import Config
import JobKit

/// The numbers by which widgets are made.
public struct WidgetRules: Sendable, Equatable {
  /// How many sentences a day has.
  public var sentences = 12

  public init() {}
}

/// What the settings may change of widgets: the table `[widgets]`.
extension WidgetRules {
  private static let sentences = Rule("widgets", "sentences", 12, in: 1...12)

  static let settings = [AnyRule(sentences)]

  init(_ store: RuleBook) {
    self.init()
    sentences = store[Self.sentences]
  }
}
