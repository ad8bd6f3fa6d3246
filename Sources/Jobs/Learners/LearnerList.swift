import JobKit
import Postgres

/// The learners that a part of a run has to look at, in the order of their ids.
///
/// Eight bytes each, so a million are nothing, and a part that goes on after a crash makes the list anew.
struct LearnerList {
  let ids: [Int]

  init(_ ids: [Int]) {
    self.ids = ids
  }

  /// The learners of this part that `query` finds, a statement that gives their ids in a column.
  init(_ query: Statement, in context: borrowing JobContext) throws {
    let share = context.share(of: "user_id")
    // In one array: a million rows of a result take six times the memory.
    let learners: Statement = "SELECT user_id FROM (\(query)) AS found WHERE \(share)"
    ids = try context.look(Self.array(of: learners)).only[0]
  }

  /// Everybody, for who is no run and has no part.
  init(on connection: borrowing Connection) throws {
    ids = try connection.run(Self.array(of: Self.everyone)).only[0]
  }

  /// An aggregate would sort once more what an index has in order already, as everybody's ids.
  private static func array(of learners: Statement) -> Statement {
    "SELECT ARRAY(SELECT DISTINCT user_id FROM (\(learners)) AS learner ORDER BY user_id)"
  }

  /// Who is on this list, on the other, or on both.
  func union(_ other: LearnerList) -> LearnerList {
    var (all, others) = ([Int](), other.ids[...])
    all.reserveCapacity(ids.count + other.ids.count)
    for id in ids {
      while let first = others.first, first < id { all.append(others.removeFirst()) }
      if others.first == id { others.removeFirst() }
      all.append(id)
    }
    return LearnerList(all + others)
  }

  func contains(_ id: Int) -> Bool {
    let index = firstIndex(above: id - 1)
    return index < ids.count && ids[index] == id
  }

  /// The query that finds everybody.
  static let everyone: Statement = "SELECT user_id FROM learning.users"

  /// How many learners `query` finds for all parts of the run, which is what its plan is asked for.
  static func count(_ query: Statement, in context: borrowing JobContext) throws -> Int {
    try context.look(
      """
      SELECT count(DISTINCT user_id) FROM (\(query)) AS found
      WHERE \(context.shareOfAllParts(of: "user_id"))
      """
    ).only[0]
  }

  /// The next learners after the one that a cursor names, at most so many.
  func next(_ most: Int, after cursor: String?) -> ArraySlice<Int> {
    guard let last = cursor.flatMap({ Int($0) }) else { return ids.prefix(most) }
    return ids[firstIndex(above: last)...].prefix(most)
  }

  /// Where those begin whose ids are higher.
  func firstIndex(above id: Int) -> Int {
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] > id { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
