import Postgres

/// What was read of some learners at once, to be made facts of one by one, in their order.
struct PushFactsBatch {
  let users: [Int]

  /// A row for each learner, and one for each of their pushes; both in the order of learners.
  let learners: Rows
  private let pushes: Rows

  /// Up to where pushes have been given to their learners.
  private var place = 0

  /// What the statements of ``PushFactsReader`` have found of `users`.
  init(of users: [Int], _ read: [Rows]) {
    self.users = users
    (pushes, learners) = (read[1], read[2])
  }

  /// The facts in a row of ``learners``, the next one of them.
  mutating func facts(in row: Row) throws -> PushFacts {
    var facts = try PushFacts(user: row[0], zone: row[1])
    try facts.readLearner(row)
    try facts.readHistory(row)
    facts.rows = try pushes(of: facts.user)
    return facts
  }

  private mutating func pushes(of user: Int) throws -> [PushRow] {
    var found: [PushRow] = []
    while place < pushes.count {
      let row = pushes[place]
      let owner: Int = try row[0]
      guard owner <= user else { break }
      // Whoever is not among the learners was not there yet.
      if owner == user { found.append(try PushRow(row)) }
      place += 1
    }
    return found
  }
}

extension PushRow {
  fileprivate init(_ row: Row) throws(PostgresError) {
    self.init(
      day: try row[1], state: try row[2], kind: try row[3], plannedAt: try row[4],
      evidence: try row[5], windowTo: try row[6], handedAt: try row[7])
  }
}
