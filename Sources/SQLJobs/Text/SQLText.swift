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

/// The conditions that all have to be true for the whole to be true.
extension SQLText {
  /// Cuts a condition at each AND that joins conditions of the whole; one with an OR of its own stays in one piece.
  var conjuncts: [ArraySlice<SQLToken>] {
    var (depth, cases, isBetween, start) = (0, 0, false, tokens.startIndex)
    var found: [ArraySlice<SQLToken>] = []
    for (index, token) in tokens.enumerated() {
      if token.isSign("(") || token.isSign("[") { depth += 1 }
      if token.isSign(")") || token.isSign("]") { depth -= 1 }
      if token.isWord("case") { cases += 1 }
      if token.isWord("end"), cases > 0 { cases -= 1 }
      guard depth == 0, cases == 0 else { continue }
      if token.isWord("or") { return [tokens[...]] }
      if token.isWord("between") { isBetween = true }
      guard token.isWord("and") else { continue }
      if isBetween {
        isBetween = false
      } else {
        found.append(tokens[start..<index])
        start = index + 1
      }
    }
    return found + [tokens[start...]]
  }

  /// The columns that assignments give new values, as they are written there.
  var assignedColumns: [String] {
    var (depth, columns, list) = (0, [String](), [String]())
    for (index, token) in tokens.enumerated() {
      if token.isSign("(") || token.isSign("[") { depth += 1 }
      if token.isSign(")") || token.isSign("]") { depth -= 1 }
      let next = tokens.indices.contains(index + 1) ? tokens[index + 1] : nil
      let before = index > 0 ? tokens[index - 1] : nil
      if depth == 0, before?.isSign(",") ?? true, next?.isSign("=") ?? false, let name = token.name
      {
        columns.append(name)
      }
      if token.isSign("("), depth == 1, before?.isSign(",") ?? true { list = [] }
      if depth == 1, let name = token.name { list.append(name) }
      if token.isSign(")"), depth == 0, next?.isSign("=") ?? false { columns += list }
    }
    return columns
  }
}
