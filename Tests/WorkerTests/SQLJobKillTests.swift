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
    let end = try await onOwnThread { try Self.end(of: .touching, place, time) }

    #expect(end.status & 0x7f == SIGKILL)
    #expect(end.heirStatus == 0)
    #expect(end.answer == "100 rows, 100 touches, 1 at most")
  }

  @Test(arguments: places, [1, 2])
  func `a run that asks what is new takes each row once, whichever of its chunks is killed`(
    place: Failpoint, time: Int
  ) async throws {
    let end = try await onOwnThread { try Self.end(of: .seeing, place, time) }

    #expect(end.status & 0x7f == SIGKILL)
    #expect(end.heirStatus == 0)
    #expect(end.answer == "100 rows, 100 touches, 1 at most")
  }

  @Test(arguments: places)
  func `partitions that are dropped with a chunk are those that the ledger counts`(
    place: Failpoint
  ) async throws {
    let end = try await onOwnThread { try Self.end(of: .dropping, place, 2) }

    #expect(end.status & 0x7f == SIGKILL)
    #expect(end.heirStatus == 0)
    #expect(end.answer == "1 left, dropped 3")
  }

  /// A job, what it works at, and what has become of that.
  fileprivate struct Work {
    let settings: String
    let tables: [Statement]
    let question: Statement
  }

  private struct End {
    let status: Int32
    let heirStatus: Int32
    let answer: String
  }

  private static func end(of work: Work, _ place: Failpoint, _ time: Int) throws -> End {
    let rehearsal = try Rehearsal(of: "touch_carts")
    try rehearsal.set("[jobs.touch_carts]\nevery = \"1d\"\nmost = 1000\n\(work.settings)")
    for statement in work.tables { try rehearsal.run(statement) }
    let words = ["run", "touch_carts"]
    let status = try rehearsal.start(
      words, variables: ["WORKER_FAILPOINT=\(place.rawValue):\(time)"]
    ).status()
    try rehearsal.awaitEndOfSessions()
    try rehearsal.passTime()
    let heirStatus = try rehearsal.start(words + ["--resume"]).status()
    return End(
      status: status, heirStatus: heirStatus, answer: try rehearsal.text(work.question))
  }
}

extension SQLJobKillTests.Work {
  fileprivate static let touching = Self(
    settings: """
      kind = "set"
      table = "public.cart"
      key = "cart_id"
      where = "true"
      set = "touches = touches + 1"
      chunk = 10
      """,
    tables: [
      """
      CREATE TABLE cart AS SELECT n::bigint AS cart_id, 0::bigint AS touches
      FROM generate_series(1, 100) AS n
      """, "ALTER TABLE cart ADD PRIMARY KEY (cart_id)",
    ],
    question: """
      SELECT format('%s rows, %s touches, %s at most', count(*), sum(touches), max(touches)) FROM cart
      """)

  fileprivate static let seeing = Self(
    settings: """
      kind = "statement"
      table = "public.event"
      key = "event_id"
      where = ":since(received_at, written_in)"
      statement = '''
        INSERT INTO public.seen SELECT event_id FROM public.event WHERE event_id IN (:keys)
      '''
      chunk = 10
      """,
    tables: [
      """
      CREATE TABLE event AS SELECT n::bigint AS event_id, timestamptz '2020-01-01Z' AS received_at,
        pg_current_xact_id()::text::bigint AS written_in FROM generate_series(1, 100) AS n
      """, "ALTER TABLE event ADD PRIMARY KEY (event_id)", "CREATE TABLE seen (event_id bigint)",
    ],
    question: """
      SELECT format('%s rows, %s touches, %s at most', count(*), sum(times), max(times))
      FROM (SELECT count(*) AS times FROM seen GROUP BY event_id) AS event
      """)

  fileprivate static let dropping = Self(
    settings: """
      kind = "drop_partitions"
      table = "public.hit"
      older_than = "30d"
      """,
    tables: ["CREATE TABLE hit (at date) PARTITION BY RANGE (at)"]
      + [(2000, 2001), (2001, 2002), (2002, 2003), (2003, 9999)].map { from, to in
        Statement(
          verbatim: "CREATE TABLE hit_\(from) PARTITION OF hit"
            + " FOR VALUES FROM ('\(from)-01-01') TO ('\(to)-01-01')")
      },
    question: """
      SELECT format('%s left, dropped %s', (SELECT count(*) FROM pg_inherits WHERE inhparent = 'hit'::regclass),
        counter_values[1]) FROM jobkit.part
      """)
}
