import JobKit
import Postgres

/// The patterns as reviews see them: what they are called, and which are chosen by their box.
struct ReviewPatterns {
  let rules: ReviewRules
  let codes: [Int: String]

  /// The patterns whose content type is chosen by boxes.
  let boxed: Set<Int>

  init(under rules: ReviewRules, _ rows: Rows) throws {
    self.rules = rules
    var (codes, boxed) = ([Int: String](), Set<Int>())
    for row in rows {
      codes[try row[0]] = try row[1]
      if rules.strategies[try row[2]] == .leitner { boxed.insert(try row[0]) }
    }
    (self.codes, self.boxed) = (codes, boxed)
  }

  static var query: Statement {
    "SELECT pattern_id, code, content_type FROM learning.patterns ORDER BY pattern_id"
  }
}
