import Postgres
import TestSupport
import Testing

/// What is asked of the ledger while nobody does it, and while somebody does.
@Suite("Commands that leave the work to daemons")
struct NobodyAliveTests {
  private let rehearsal: Rehearsal

  init() throws {
    rehearsal = try Rehearsal()
    try rehearsal.run(
      "INSERT INTO jobkit.job (name, known_since, decided_until) VALUES ('rehearse', now(), now())")
    try rehearsal.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, parts, parts_left, parts_failed,
        decided_at, decided_by, started_at, finished_at, planned, reason)
      VALUES ('rehearse', '2026-03-01T10:00:00Z', 'manual', 'failed', 1, 0, 1, now(), 'a', now(),
          now(), NULL, NULL),
        ('rehearse', '2026-03-01T10:00:01Z', 'manual', 'held', 1, 1, 0, now(), 'a', now(),
          NULL, 812, 'would touch 812')
      """)
    try rehearsal.run(
      """
      INSERT INTO jobkit.part (run, number, job, state, not_before, finished_at, error, done)
      VALUES (1, 0, 'rehearse', 'failed', now(), now(), 'no luck', 3),
        (2, 0, 'rehearse', 'due', now(), NULL, NULL, 0)
      """)
  }

  /// Has a daemon alive from now on that could do it.
  private func appear(draining: Bool = false) throws {
    try rehearsal.run(
      """
      INSERT INTO jobkit.daemon (name, host, process, version, settings_hash, jobs, started_at,
        seen_at, draining)
      VALUES ('elsewhere:1:a', 'elsewhere', 1, '1', '', '{rehearse}', now(), now(), \(draining))
      """)
  }

  private func said(_ words: String...) throws -> String {
    let program = try rehearsal.program(words: words)
    #expect(program.exitCode == 0, "\(program.errors)")
    return program.output
  }

  @Test(arguments: [false, true])
  func `without a daemon they say that nobody will do it`(isDraining: Bool) throws {
    if isDraining { try appear(draining: true) }

    let nobody = "as soon as a daemon runs; none with code for 'rehearse' is alive"
    #expect(
      try said("retry", "1")
        == "run 1 is due again: 3 are done and kept; it goes on \(nobody)\n")
    #expect(try said("approve", "2").hasSuffix("; it goes on \(nobody)\n"))
    _ = try said("pause", "rehearse", "--reason", "a test")
    #expect(
      try said("resume", "rehearse")
        == "rehearse goes on as soon as a daemon runs; none with code for it is alive\n")
    let range = ["--from", "2026-03-02T00:00:00Z", "--to", "2026-03-02T00:00:02Z"]
    let entered = try rehearsal.program(
      words: ["backfill", "rehearse", "--reprocess", "all"] + range)
    #expect(
      entered.output.hasSuffix(
        "\nthey begin \(nobody); 'worker runs rehearse' shows how far they are\n"),
      "\(entered.output)\(entered.errors)")
  }

  @Test func `beside a daemon they say that it goes on, and when`() throws {
    try appear()

    #expect(
      try said("retry", "1")
        == "run 1 is due again: 3 are done and kept; a daemon goes on with it as soon as a worker is free\n"
    )
    let approved = try said("approve", "2")
    #expect(approved.hasPrefix("run 2 is due, approved by "))
    #expect(
      approved.hasSuffix(
        "; a daemon goes on with it as soon as a worker is free and run 1 is over\n"))
    _ = try said("pause", "rehearse", "--reason", "a test")
    let resumed = try said("resume", "rehearse")
    let nextTick = /rehearse goes on with its next tick, ([0-9-]+ )?[0-9:]{5,8} \(.+\)\n/
    #expect(resumed.wholeMatch(of: nextTick) != nil, "\(resumed)")
  }

  @Test func `machines are told the same`() throws {
    let retried = try said("retry", "1", "--json")

    for member in [
      #""state": "due""#, #""waits_for": "worker""#, #""daemon_alive": false"#,
    ] { #expect(retried.contains(member)) }
  }

  @Test func `a daemon without code for the job is none`() throws {
    try appear()
    try rehearsal.run("UPDATE jobkit.daemon SET jobs = '{deliver_pushes}'")

    #expect(try said("retry", "1").hasSuffix("none with code for 'rehearse' is alive\n"))
  }
}
