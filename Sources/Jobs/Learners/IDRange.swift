import Postgres

/// Some learners in the order of their ids, as a condition for statements.
struct IDRange {
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
    range(of: column) ?? holds(column)
  }

  /// The same for a table that is joined with the list: where others are many it asks for each learner.
  func mayJoin(_ column: Statement) -> Statement {
    range(of: column) ?? "true"
  }

  private func range(of column: Statement) -> Statement? {
    guard let first = ids.first, let last = ids.last, areNear(first, last) else { return nil }
    return "\(column) BETWEEN \(first) AND \(last)"
  }

  /// Whether few others are between two ids, as where two parts of a run have every other block of learners; ids may
  /// be further from each other than a number says.
  private func areNear(_ first: Int, _ last: Int) -> Bool {
    let (distance, isTooFar) = last.subtractingReportingOverflow(first)
    return !isTooFar && distance / 3 < ids.count
  }
}
