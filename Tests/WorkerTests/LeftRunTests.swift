import Glibc
import Postgres
import TestSupport
import Testing

/// Runs by hand that were killed, where no daemon lives that would take them over.
@Suite("A run by hand that was killed")
struct LeftRunTests {
  private let rehearsal: Rehearsal

  /// A rehearsal in which parts are worked at one after the other, so that each failpoint is always the same moment.
  init() throws {
    rehearsal = try Rehearsal()
    try rehearsal.set("", workers: 1)
  }

  /// Starts a run that dies at `failpoint`.
  private func kill(at failpoint: String) throws {
    let killed = try rehearsal.start(
      ["run", "rehearse", "--for", "2026-03-01T10:00:00Z"],
      variables: ["WORKER_FAILPOINT=\(failpoint)"])
    #expect(try killed.status() == SIGKILL)
    try rehearsal.awaitEndOfSessions()
  }

  private func runNext(_ words: String...) throws -> Program {
    try rehearsal.program(words: ["run", "rehearse", "--for", "2026-03-01T10:00:01Z"] + words)
  }

  private func resume(_ words: String...) throws -> Program {
    try rehearsal.program(words: ["run", "rehearse", "--resume"] + words)
  }

  /// Where a command dies, and of how many workers.
  ///
  /// Of two the other may write the last end while one dies behind its own: then nothing would be left.
  private static let deaths: [(failpoint: String, workers: Int)] =
    [
      "claim.begun", "claim.claimed", "chunk.begun", "chunk.worked:2", "chunk.saved",
      "chunk.committed:3", "chunk.committed:5", "finish.begun",
    ].flatMap { [($0, 1), ($0, 2)] } + [("finish.written", 1)]

  @Test(arguments: deaths)
  func `is gone on with by --resume and by nothing else, nothing lost and nothing twice`(
    failpoint: String, workers: Int
  ) throws {
    try rehearsal.set("", workers: workers)
    try kill(at: failpoint)
    try rehearsal.passTime()

    let refused = try runNext()
    let resumed = try resume()
    let next = try runNext()

    #expect(refused.errors.hasPrefix("worker: 'rehearse' has an unfinished run, which comes first"))
    #expect(refused.exitCode == 75 && refused.output.isEmpty)
    #expect(resumed.output.hasPrefix("run 1 succeeded in "))
    #expect(resumed.exitCode == 0, "\(resumed.errors)")
    #expect(next.output.hasPrefix("run 2 succeeded in ") && next.exitCode == 0, "\(next.errors)")
    #expect(try rehearsal.losses() == [])
  }

  @Test func `is in nobody's way when it was over by then`() throws {
    try kill(at: "finish.written:2")

    let next = try runNext()

    #expect(next.output.hasPrefix("run 2 succeeded in ") && next.exitCode == 0, "\(next.errors)")
    #expect(try rehearsal.losses() == [])
  }

  @Test func `is offered to be gone on with, and keeps what it had done`() throws {
    try kill(at: "chunk.committed:3")
    try rehearsal.passTime()

    let refused = try runNext()
    let lines = try resume().errors.split(separator: "\n")

    #expect(
      refused.errors.hasSuffix(
        "; no daemon with code for it is alive: 'worker run rehearse --resume' goes on with it, or"
          + " end it with 'worker cancel 1'\n"))
    #expect(
      lines == [
        "note: run 1 of rehearse goes on: 3 are done and kept",
        "note: part 1 (of 2): succeeded: rehearsed", "note: part 0 (of 2): succeeded: rehearsed",
      ])
  }

  @Test func `where none is left, --resume says so and begins nothing`() throws {
    let resumed = try resume()
    let json = try resume("--json")
    let mistaken = try resume("--for", "2026-03-01T10:00:01Z")

    #expect(resumed.output == "no run of rehearse is left to go on with\n")
    #expect(resumed.exitCode == 0 && json.output == "[]\n")
    #expect(
      mistaken.errors
        == "worker: '--for': --resume goes on with runs as they began: leave one of both"
        + " out; 'worker run --help' shows what can be written\n")
    #expect(mistaken.exitCode == 64)
    #expect(try rehearsal.number("SELECT count(*) FROM jobkit.run") == 0)
  }

  @Test func `keeps the next away while its lease lasts`() throws {
    try kill(at: "chunk.committed:3")

    let refused = try runNext()

    #expect(refused.errors.contains("'rehearse' runs already: run 1 on "))
    #expect(
      refused.errors.contains(
        "; wait for its end with --wait 10m, or end it with 'worker cancel 1'"))
    #expect(refused.exitCode == 75)
  }

  @Test func `is gone on with by --resume --wait when its lease ends`() throws {
    try kill(at: "chunk.committed:3")
    try rehearsal.run(
      "UPDATE jobkit.part SET lease_until = now() + interval '1 second' WHERE state = 'running'")

    let waited = try resume("--wait", "10m")

    #expect(waited.exitCode == 0)
    #expect(try rehearsal.losses() == [])
  }

  @Test func `is given back at Ctrl-C, and nothing else is begun`() throws {
    try kill(at: "chunk.committed:3")
    try rehearsal.passTime()
    try rehearsal.slowDown(by: 3, failingOnce: false)
    let next = try rehearsal.start(["run", "rehearse", "--resume"])
    try rehearsal.waitForChunk()

    next.send(SIGINT)

    #expect(try next.status() >> 8 == 130)
    #expect(
      rehearsal.log.contains("are done and kept; 'worker run rehearse --resume' goes on with it"))
    #expect(try rehearsal.number("SELECT count(*) FROM jobkit.run") == 1)
    #expect(
      try rehearsal.number(
        """
        SELECT count(*) FROM jobkit.run JOIN jobkit.part ON part.run = run.id
        WHERE run.state = 'running' AND cancel_asked_at IS NULL AND part.state = 'due'
          AND failures = 0
        """) > 0)
  }

  @Test func `is left to a daemon that lives`() throws {
    try kill(at: "chunk.committed:3")
    try rehearsal.passTime()
    try rehearsal.run(
      """
      INSERT INTO jobkit.daemon (name, host, process, version, settings_hash, jobs, started_at, seen_at)
      VALUES ('elsewhere:1:a', 'elsewhere', 1, '1', '', '{rehearse}', now(), now())
      """)

    let refused = try runNext()

    #expect(
      refused.errors.contains(
        "a daemon goes on with it: wait for its end with --wait 10m, or end it with 'worker cancel 1'"
      ))
    #expect(refused.exitCode == 75)
    #expect(try rehearsal.number("SELECT count(*) FROM rehearsal") == 3)
  }

  @Test func `several are gone on with in the order of their claims`() throws {
    try kill(at: "claim.begun")
    try rehearsal.run("UPDATE jobkit.run SET scheduled_for = '2026-03-01T09:59:59Z'")
    try rehearsal.run(
      """
      WITH second AS (
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, parts, parts_left, exclusive, decided_at,
          decided_by)
        SELECT job, '2026-03-01T10:00:00Z', trigger, state, parts, parts_left, exclusive, decided_at,
          decided_by
        FROM jobkit.run WHERE id = 1 RETURNING id, job
      )
      INSERT INTO jobkit.part (run, number, job, state, not_before)
      SELECT id, number, job, 'due', now() FROM second, generate_series(0, 1) AS number
      """)

    let resumed = try resume()
    let next = try runNext()

    #expect(
      resumed.output.split(separator: "\n").map { $0.prefix(16) }
        == ["run 1 succeeded ", "run 2 succeeded "])
    #expect(next.exitCode == 0, "\(next.errors)")
    #expect(try rehearsal.losses() == [])
  }

  @Test func `is shown as silent by ps`() throws {
    try kill(at: "chunk.committed:3")
    try rehearsal.run(
      "UPDATE jobkit.part SET lease_until = now() - interval '2 hours' WHERE state = 'running'")

    #expect(try rehearsal.program("ps").output.contains("lease over for 2 h"))
  }

  @Test func `that waits for approval stays as it is`() throws {
    try kill(at: "claim.begun")
    try rehearsal.run("UPDATE jobkit.run SET state = 'held', reason = 'would touch 812'")

    for refused in [try runNext(), try resume()] {
      #expect(
        refused.errors
          == "worker: 'rehearse' has a held run, run 1, and nothing of it runs until somebody"
          + " decides: it would touch 812; 'worker approve 1' lets it go on, 'worker cancel 1' ends it\n"
      )
      #expect(refused.exitCode == 75)
    }
  }
}
