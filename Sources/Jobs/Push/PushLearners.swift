import JobKit
import LocalTime
import Postgres

/// The learners that a part of a run looks at, in the order of their ids.
enum PushLearners {
  /// Those whose window begins, and those of whom something is new.
  case listed(LearnerList)

  /// All of this part, read a chunk at a time: on the first run, and when asked for.
  case everyone(share: Statement, count: Int)

  /// How many they are.
  var count: Int {
    switch self {
    case .listed(let list): list.ids.count
    case .everyone(_, let count): count
    }
  }

  /// The next ones after the one that a cursor names, at most so many.
  func next(
    _ most: Int, after last: String?, on connection: borrowing Connection
  ) throws -> [Int] {
    switch self {
    case .listed(let list): return Array(list.next(most, after: last))
    case .everyone(let share, _):
      return try connection.run(
        """
        SELECT user_id FROM learning.users
        WHERE user_id > \(last.flatMap { Int($0) } ?? .min) AND \(share) ORDER BY user_id LIMIT \(most)
        """
      ).map { try $0[0] }
    }
  }

  /// The ids of learners who are to be looked at, some of them more than once: `isNew` is a condition on
  /// when a row was received and in which transaction it was written.
  static func query(
    until horizon: Instant, isNew: (_ received: Statement, _ written: Statement) -> Statement
  ) -> Statement {
    """
    SELECT user_id FROM learning.push_agenda WHERE look_at <= \(horizon)
    UNION ALL SELECT user_id FROM learning.users WHERE \(isNew("changed_at", "written_in"))
    UNION ALL SELECT user_id FROM learning.devices WHERE \(isNew("registered_at", "written_in"))
    UNION ALL SELECT user_id FROM learning.sessions
      WHERE completed AND \(isNew("server_received_at", "written_in"))
    """
  }
}
