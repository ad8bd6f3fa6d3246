import Postgres

extension Row {
  /// What was gathered of a learner; nothing was where the list is NULL.
  func list<Element: PostgresValue>(
    _ column: Int, of type: Element.Type = Element.self
  ) throws(PostgresError) -> [Element] {
    try self[column, as: [Element]?.self] ?? []
  }
}
