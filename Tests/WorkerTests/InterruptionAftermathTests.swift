import JobKit
import Ledger
import LocalTime
import Postgres
import TestSupport
import Testing

@testable import WorkerProgram

/// What a second Ctrl-C at a run by hand says of the run, by what the ledger answered the first.
@Suite("What a second Ctrl-C leaves behind")
struct InterruptionAftermathTests {
  private let database: TestDatabase

  /// Five in the morning, an hour before the lease ends.
  private static let now = Instant(secondsSince1970: 1_772_427_600)

  /// Of three runs a worker has the first, nobody has the second, and the third is over.
  init() throws {
    database = try TestDatabase.migrated()
    try database.connect().run(
      script: """
        INSERT INTO jobkit.job (name, known_since, decided_until)
          VALUES ('rehearse', '2026-03-01Z', '2026-03-02Z');
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by, started_at)
          VALUES ('rehearse', '2026-03-02T02:00Z', 'manual', 'running', '2026-03-02T02:00Z', 'ana@db1',
            '2026-03-02T02:00Z');
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, parts, parts_left, decided_at, decided_by)
          VALUES ('rehearse', '2026-03-02T03:00Z', 'manual', 'due', 1, 1, '2026-03-02T03:00Z', 'ana@db1');
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by, started_at,
            parts_left, finished_at)
          VALUES ('rehearse', '2026-03-02T04:00Z', 'manual', 'succeeded', '2026-03-02T04:00Z', 'ana@db1',
            '2026-03-02T04:00Z', 0, '2026-03-02T04:30Z');
        INSERT INTO jobkit.part (run, number, job, state, not_before, daemon, lease_until)
          VALUES (1, 0, 'rehearse', 'running', '2026-03-02T02:00Z', 'db1:48213:5f2a91c7:1',
            '2026-03-02T06:00Z');
        INSERT INTO jobkit.part (run, number, job, state, not_before)
          VALUES (2, 0, 'rehearse', 'due', '2026-03-02T03:00Z');
        """)
  }

  @Test(arguments: [
    (
      1,
      "run 1 is asked to end; a daemon, or 'worker cancel 1', cancels it when its lease is over, and then"
        + " 'worker retry 1' starts it again"
    ),
    (2, "run 2 is cancelled; 'worker retry 2' starts it again"),
    (3, "run 3 is over: 'worker show 3' tells how it ended"),
  ])
  func `it says whether the run is cancelled, or only asked to end`(
    run: Int, words: String
  ) throws {
    let connection = try database.connect()

    let isAsked = try Ledger.cancel(run, by: "ana@db1", at: Self.now, on: connection)
    let aftermath = InterruptionAftermath(
      of: run, isAsked: isAsked, now: try Ledger.run(run, on: connection))

    #expect(aftermath.words(of: "rehearse") == words)
  }

  @Test func `a ledger that has not answered leaves the run to its lease`() {
    let aftermath = InterruptionAftermath(of: 1, isAsked: false, now: nil)

    #expect(
      aftermath.words(of: "rehearse")
        == "what is held here is free when its lease ends, and then a daemon or 'worker run rehearse"
        + " --resume' goes on with it")
  }
}
