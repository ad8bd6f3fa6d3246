import Glibc
import JobKit
import Postgres
import TestSupport
import Testing

/// A job of the settings in the real program, killed between any two statements of its chunks.
@Suite("Kill a job in SQL")
struct SQLJobKillTests {
  private static let places: [Failpoint] = [
    .chunkBegun, .chunkWorked, .chunkSaved, .chunkCommitted,
  ]

  @Test(arguments: places, [1, 2, 3])
  func `a run that is killed there goes on behind its last chunk and touches no row twice`(
    place: Failpoint, time: Int
  ) async throws {
    let end = try await onOwnThread { try Self.end(of: place, time) }

    #expect(end.status & 0x7f == SIGKILL)
    #expect(end.heirStatus == 0)
    #expect(end.touches == ["100 rows, 100 touches, 1 at most"])
  }

  private struct End {
    let status: Int32
    let heirStatus: Int32
    let touches: [String]
  }

  private static func end(of place: Failpoint, _ time: Int) throws -> End {
    let rehearsal = try Rehearsal(of: "touch_carts")
    try rehearsal.set(
      """
      [jobs.touch_carts]
      kind = "set"
      table = "public.cart"
      key = "cart_id"
      where = "true"
      set = "touches = touches + 1"
      every = "1d"
      most = 1000
      chunk = 10
      """)
    try rehearsal.run(
      """
      CREATE TABLE cart AS SELECT n::bigint AS cart_id, 0::bigint AS touches
      FROM generate_series(1, 100) AS n
      """)
    try rehearsal.run("ALTER TABLE cart ADD PRIMARY KEY (cart_id)")
    let words = ["run", "touch_carts"]
    let status = try rehearsal.start(
      words, variables: ["WORKER_FAILPOINT=\(place.rawValue):\(time)"]
    ).status()
    try rehearsal.awaitEndOfSessions()
    try rehearsal.passTime()
    let heirStatus = try rehearsal.start(words + ["--resume"]).status()
    return End(status: status, heirStatus: heirStatus, touches: try rehearsal.touches())
  }
}

extension Rehearsal {
  fileprivate func touches() throws -> [String] {
    let counts = ["count(*)", "sum(touches)::bigint", "max(touches)"]
    let numbers = try counts.map { try number("SELECT \(verbatim: $0) FROM cart") }
    return ["\(numbers[0]) rows, \(numbers[1]) touches, \(numbers[2]) at most"]
  }
}
