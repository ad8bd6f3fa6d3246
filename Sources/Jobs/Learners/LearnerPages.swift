import JobKit
import Postgres

extension JobContext {
  /// Works at the learners of a list in the order of their ids, a page in each chunk, and ends the round behind
  /// the last; a part that goes on after a crash goes on behind its last page.
  ///
  /// What `ending` does is of one transaction with the end of the round.
  mutating func inPages(
    of list: LearnerList, in scan: IncrementalScan, by size: ChunkSize, isDurable: Bool = true,
    ending: (borrowing Connection, _ progress: inout Progress) throws -> Void = { _, _ in },
    _ work: (borrowing Connection, _ progress: inout Progress, _ page: [Int]) throws -> Void
  ) throws {
    try inChunks(of: size, isDurable: isDurable) { connection, progress, most in
      guard try list.turnPage(of: most, in: scan, &progress, on: connection, work) else {
        try ending(connection, &progress)
        try scan.end(on: connection)
        return .finished
      }
      return .more
    }
  }
}

extension LearnerList {
  /// Works at the next page behind the cursor, of at most so many learners, and moves the cursor behind it; false
  /// when there is none.
  func turnPage(
    of most: Int, in scan: IncrementalScan, _ progress: inout Progress,
    on connection: borrowing Connection,
    _ work: (borrowing Connection, _ progress: inout Progress, _ page: [Int]) throws -> Void
  ) throws -> Bool {
    let page = Array(next(most, after: scan.last(in: progress.cursor)))
    progress.total = ids.count
    guard let last = page.last else { return false }
    try work(connection, &progress, page)
    progress.done += page.count
    progress.cursor = scan.cursor(after: last)
    return true
  }
}
