internal import Postgres
internal import TestSupport
internal import Testing

/// What is asked of many jobs or runs at once, as in an incident.
@Suite("Several at once")
struct SeveralTests {
  private let rehearsal: Rehearsal

  init() throws {
    rehearsal = try Rehearsal()
    try rehearsal.run(
      """
      INSERT INTO jobkit.job (name, known_since, decided_until)
      SELECT name, now(), now() FROM unnest(ARRAY['rehearse', 'deliver_pushes']) AS name
      """)
  }

  private func worker(_ words: String...) throws -> Program {
    try rehearsal.program(words: words)
  }

  /// Enters a run of one part for each job and state, in this order.
  private func enter(_ runs: [(job: String, state: String)], ended: String = "now()") throws {
    for (job, state) in runs {
      let end = state == "failed" ? ended : "NULL"
      try rehearsal.run(
        """
        WITH run AS (
          INSERT INTO jobkit.run (job, scheduled_for, trigger, state, parts, parts_left, parts_failed,
            decided_at, decided_by, started_at, finished_at)
          VALUES ('\(verbatim: job)', now(), 'manual', '\(verbatim: state)', 1,
            \(state == "failed" ? 0 : 1), \(state == "failed" ? 1 : 0), now(), 'another',
            \(verbatim: state == "failed" ? "now()" : "NULL"), \(verbatim: end))
          RETURNING id, finished_at
        )
        INSERT INTO jobkit.part (run, number, job, state, not_before, finished_at, error)
        SELECT id, 0, '\(verbatim: job)', '\(verbatim: state)', now(), finished_at,
          CASE WHEN finished_at IS NOT NULL THEN 'no luck' END FROM run
        """)
    }
  }

  @Test func `several jobs are paused and go on, each once, and a slip pauses none`() throws {
    let slip = try worker("pause", "rehearse", "deliver_pushs", "--reason", "a test")
    let none = try worker("resume", "--all")
    let both = try worker("pause", "rehearse", "deliver_pushes", "rehearse", "--reason", "a test")
    let machines = try worker("resume", "rehearse", "deliver_pushes", "--json")
    let again = try worker("resume", "rehearse", "deliver_pushes")

    #expect(slip.exitCode == 64)
    #expect(none.output == "no job is paused\n")
    #expect(
      both.output.wholeMatch(
        of: #/rehearse is paused by \S+: a test\ndeliver_pushes is paused by \S+: a test\n/#) != nil
    )
    #expect(machines.output.count { $0 == "{" } == 2 && machines.output.hasPrefix("["))
    #expect(again.output == "rehearse was not paused\ndeliver_pushes was not paused\n")
  }

  @Test func `every job is paused, and every paused job goes on`() throws {
    let paused = try worker("pause", "--all", "--reason", "an incident")
    let repeated = try worker("pause", "--all", "--reason", "an incident")
    let resumed = try worker("resume", "--all")
    let both = try worker("pause", "rehearse", "--all", "--reason", "an incident")
    let neither = try worker("resume")

    let count = paused.output.count { $0 == "\n" }
    #expect(count > 8 && paused.output.contains(#/settle_rewards is paused by \S+: an incident\n/#))
    #expect(repeated.exitCode == 0)
    #expect(resumed.output.count { $0 == "\n" } == count)
    #expect(both.errors.contains("'rehearse': write a job or --all, not both"))
    #expect(neither.errors.contains("JOB is missing") && neither.exitCode == 64)
  }

  @Test func `all open runs end only when that is confirmed`() throws {
    try enter([("rehearse", "due"), ("deliver_pushes", "due"), ("rehearse", "due")])

    let asked = try worker("cancel", "--all")
    let ofJob = try worker("cancel", "--job", "rehearse", "--yes")
    let all = try worker("cancel", "--all", "--yes", "--json")
    let again = try worker("cancel", "--all", "--yes")

    #expect(
      asked.errors == """
        would end run 1 of rehearse
        would end run 2 of deliver_pushes
        would end run 3 of rehearse
        worker: nothing was done: to end 3 runs, write --yes as well

        """)
    #expect(asked.exitCode == 75 && asked.output.isEmpty)
    #expect(
      ofJob.output == """
        rehearse: run 1 is cancelled: no worker had it; nothing of it was done
        rehearse: run 3 is cancelled: no worker had it; nothing of it was done

        """)
    #expect(all.output.contains(#""run": 2"#) && !all.output.contains(#""run": 3"#))
    #expect(again.output == "every such run is over\n" && again.exitCode == 0)
  }

  @Test func `what failed since a moment is due again, of one job or of all, once`() throws {
    try enter([("rehearse", "failed")], ended: "now() - interval '3 hours'")
    try enter([("rehearse", "failed"), ("deliver_pushes", "failed")])

    let forgotten = try worker("retry", "--failed")
    let ofJob = try worker("retry", "--failed", "--since", "2h", "--job", "rehearse")
    let all = try worker("retry", "--since", "2h")
    let again = try worker("retry", "--failed", "--since", "2h")
    let both = try worker("retry", "1", "--failed", "--since", "2h")

    #expect(forgotten.errors.contains("'--since WHEN' is missing") && forgotten.exitCode == 64)
    #expect(
      ofJob.output
        == "rehearse: run 2 is due again: nothing of it was done; it goes on as soon as a daemon"
        + " runs; none with code for 'rehearse' is alive\n")
    #expect(all.output.hasPrefix("deliver_pushes: run 3 is due again: "))
    #expect(again.output == "no such run has failed since then\n" && again.exitCode == 0)
    #expect(both.errors.contains("'1': write a run or --failed, not both"))
  }
}
