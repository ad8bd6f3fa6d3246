internal import Config

/// A piece of SQL as the settings have it, cut into its tokens.
struct SQLText: Sendable {
  let setting: SettingText
  let tokens: [SQLToken]
  private let scalars: [Unicode.Scalar]

  init(_ setting: SettingText) {
    self.setting = setting
    tokens = SQLLexer.tokens(of: setting.text)
    scalars = Array(setting.text.unicodeScalars)
  }

  var sql: String { setting.text }

  /// The text between two places.
  func sql(in range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range])
    return String(text)
  }

  /// The text of some of its tokens, with what stands between them.
  func sql(of tokens: some BidirectionalCollection<SQLToken>) -> String {
    guard let first = tokens.first, let last = tokens.last else { return "" }
    return sql(in: first.range.lowerBound..<last.range.upperBound)
  }

  /// What is wrong at a token, or at the beginning; the sentence goes on from the setting's name.
  func problem(at token: SQLToken? = nil, _ reason: String) -> Problem {
    setting.problem(at: token?.range.lowerBound ?? 0, reason)
  }
}
