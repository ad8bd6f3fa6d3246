import JobKit
import Postgres

/// Which learners a run has to look at, as it asks for them.
enum Learners {
  case everyone

  /// Those whose ids a statement gives in a column `user_id`, some of them more than once.
  case found(by: Statement)

  /// How many they are in all parts of the run, which is what its plan is asked for.
  func count(in context: borrowing JobContext) throws -> Int {
    let share = context.shareOfAllParts(of: "user_id")
    let count: Statement =
      switch self {
      case .everyone: "SELECT count(*) FROM learning.users WHERE \(share)"
      case .found(let query):
        "SELECT count(DISTINCT user_id) FROM (\(query)) AS found WHERE \(share)"
      }
    return try context.query(count).only[0]
  }
}

extension LearnerList {
  /// Those of them that are in this part.
  init(of learners: Learners, in context: borrowing JobContext) throws {
    switch learners {
    case .everyone:
      try self.init(everyoneOf: context.share(of: "user_id")) { try context.query($0) }
    case .found(let query):
      // In one array: rows of a result take six times the memory.
      let ids = try context.query(
        """
        SELECT ARRAY(SELECT DISTINCT user_id FROM (\(query)) AS found
          WHERE \(context.share(of: "user_id")) ORDER BY user_id)
        """)
      self.init(try ids.only[0])
    }
  }

  /// Everybody, for who is no run and has no part.
  init(on connection: borrowing Connection, inStretchesOf most: Int = Self.stretch) throws {
    try self.init(everyoneOf: "true", inStretchesOf: most) { try connection.run($0) }
  }

  /// Everybody in such a share, one stretch of ids after the other: an answer with all of them would be three times
  /// as large as the list while it is read.
  private init(
    everyoneOf share: Statement, inStretchesOf most: Int = Self.stretch,
    _ ask: (Statement) throws -> Rows
  ) throws {
    var (ids, stretch): ([Int], [Int]) = ([], [])
    repeat {
      // No id comes before the least one there is, so the first stretch has no bound.
      let isNext: Statement = ids.last.map { "user_id > \($0)" } ?? "true"
      stretch = try ask(
        """
        SELECT ARRAY(SELECT user_id FROM learning.users
          WHERE \(isNext) AND \(share) ORDER BY user_id LIMIT \(most))
        """
      ).only[0]
      ids += stretch
    } while stretch.count == most
    self.init(ids)
  }

  private static var stretch: Int { 65_536 }
}
