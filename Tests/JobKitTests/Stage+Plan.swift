import Postgres
import TestKit

extension Stage {
  /// What the server does for a statement.
  func plan(of statement: Statement) throws -> ExplainedPlan {
    let rows = try connection.run(
      "EXPLAIN (ANALYZE, BUFFERS, COSTS off, TIMING off, SUMMARY off) \(statement)")
    return ExplainedPlan(lines: try rows.map { try $0[0] })
  }
}

/// What the server says that it did for a statement.
struct ExplainedPlan: CustomStringConvertible {
  let lines: [String]

  /// How many pages it touched in all, which the first line about them says.
  var pages: Int? {
    let line = lines.first { $0.contains("Buffers: shared hit=") }
    return line?.firstMatch(of: /hit=(\d+)/).flatMap { Int($0.1) }
  }

  func mentions(_ words: String) -> Bool {
    lines.contains { $0.contains(words) }
  }

  var description: String { lines.joined(separator: "\n") }
}
