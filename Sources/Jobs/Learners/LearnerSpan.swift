import Postgres

/// Some learners in the order of their ids, as a condition for statements.
struct LearnerSpan {
  let ids: [Int]

  init(_ ids: [Int]) {
    self.ids = ids
  }

  /// Which rows are theirs, as a condition on the column that holds the learner's id.
  func holds(_ column: Statement) -> Statement {
    "\(column) = ANY(\(ids))"
  }

  /// The same, but rows of others may be among them, for a table with a row or two for each learner.
  ///
  /// Where there are few others in between, their ends say it faster than the list: in one scan instead of
  /// one for each of them.
  func mayHold(_ column: Statement) -> Statement {
    guard let first = ids.first, let last = ids.last, areNear(first, last) else {
      return holds(column)
    }
    return "\(column) BETWEEN \(first) AND \(last)"
  }

  /// Two ids may be further from each other than a number says.
  private func areNear(_ first: Int, _ last: Int) -> Bool {
    let (distance, isTooFar) = last.subtractingReportingOverflow(first)
    return !isTooFar && distance < 2 * ids.count
  }
}
