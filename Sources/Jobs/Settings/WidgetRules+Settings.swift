internal import Config
import JobKit

/// What the settings may change of widgets: the table `[widgets]`.
extension WidgetRules {
  private static let sentences = Rule("widgets", "sentences", 12, in: 1...12)

  static let settings = [AnyRule(sentences)]

  init(_ book: RuleBook) {
    self.init()
    sentences = book[Self.sentences]
  }
}
