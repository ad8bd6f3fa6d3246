import Postgres
import TestSupport
import Testing

/// What the commands say of a job whose ticks come after those of another.
@Suite("Commands about a chain of jobs")
struct AfterCommandTests {
  private let rehearsal: Rehearsal

  /// A ledger in which a run of `rehearse` goes on and a tick of `second` waits for it; no daemon lives.
  init() throws {
    rehearsal = try Rehearsal()
    try rehearsal.set(Self.jobs)
    try rehearsal.run(
      """
      INSERT INTO jobkit.job (name, known_since, decided_until)
      SELECT name, '2026-03-01 00:00Z', '2026-03-01 10:00Z' FROM unnest('{rehearse,second}'::text[]) AS name
      """)
    try rehearsal.run(
      """
      INSERT INTO jobkit.schedule (job, since, schedule)
      VALUES ('second', '2026-03-01 00:00Z', '0 10 * * *; UTC; once')
      """)
    try enter("running")
    try rehearsal.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, decided_at, decided_by, after_jobs, after_ticks,
        after_until, after_failed, after_missing)
      VALUES ('second', '2026-03-01 10:00Z', 'schedule', 'waiting', '2026-03-01 10:00Z', 'd', '{rehearse}',
        '{2026-03-01 10:00Z}', clock_timestamp() + interval '5 hours 30 minutes 30 seconds', 'wait', 'wait')
      """)
  }

  private static let jobs = """
    [jobs.second]
    kind = "set"
    table = "public.cart"
    key = "id"
    where = "true"
    set = "state = 'closed'"
    schedule = "0 10 * * *"
    most = 10
    after = ["rehearse"]
    """

  private func enter(_ state: String) throws {
    try rehearsal.run("DELETE FROM jobkit.run WHERE job = 'rehearse'")
    try rehearsal.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, started_at, finished_at, parts_left, decided_at,
        decided_by)
      SELECT 'rehearse', '2026-03-01 10:00Z', 'schedule', \(state), '2026-03-01 10:00Z',
        CASE WHEN \(state) = 'failed' THEN timestamptz '2026-03-01 10:05Z' END,
        CASE WHEN \(state) = 'failed' THEN 0 ELSE 1 END, '2026-03-01 10:00Z', 'd'
      """)
  }

  @Test func `each says what it waits for`() throws {
    for words in [["jobs"], ["runs", "second"], ["show", "2"]] {
      let told = try rehearsal.program(words: words).output
      #expect(told.contains("waits for rehearse"), "\(words): \(told)")
    }
    let standing =
      #/waits for rehearse, whose run 1 is running; its wait ends in 5 h 30 min at the latest/#
    for words in [["why", "second"], ["why", "second", "--at", "2026-03-01T10:00:00Z"], ["ps"]] {
      let told = try rehearsal.program(words: words).output
      #expect(told.contains(standing), "\(words): \(told)")
    }
    let present = try rehearsal.program("why", "second").output
    #expect(
      present.contains("its ticks come after rehearse: each waits for its success, 6h at most"))
  }

  @Test func `of a run that has failed they say how it can be made good`() throws {
    try enter("failed")

    let told = try rehearsal.program("why", "second").output

    #expect(
      told.contains(
        #/waits for rehearse, whose run 3 failed \('worker retry 3' tries again\); its wait/#),
      "\(told)")
  }

  @Test func `machines read which jobs, which runs, and until when`() throws {
    let runs = try rehearsal.program("runs", "second", "--json").output
    let jobs = try rehearsal.program("jobs", "--json").output

    for member in [
      #""waits_for": "jobs""#, #""waits_until": "2"#, #""answer": "wait""#, #""run": 1"#,
      #""state": "running""#, #""tick": "2026-03-01T10:00:00Z""#,
    ] {
      #expect(runs.contains(member), "\(member): \(runs)")
    }
    #expect(jobs.contains(#""waits_for": "jobs""#))
  }

  @Test func `the ticks to come, and the check of the settings, name the job before`() throws {
    let next = try rehearsal.program("next", "second", "--count", "1").output
    let check = try rehearsal.program("check").output

    #expect(next.contains("after rehearse"))
    #expect(check.contains("0 10 * * *, after rehearse"))
  }

  @Test func `an audit takes a tick that waits for one that has its row`() throws {
    let audit = try rehearsal.program(
      "audit", "--from", "2026-03-01T09:00:00Z", "--to", "2026-03-01T11:00:00Z")

    #expect(audit.output.contains(#/second +1 +1 waiting +0/#), "\(audit.output)\(audit.errors)")
  }

  @Test func `health speaks of a tick that nobody has written off`() throws {
    try rehearsal.run(
      """
      INSERT INTO jobkit.daemon (name, host, process, version, settings_hash, jobs, started_at, seen_at, ready_at)
      VALUES ('d', 'host', 1, '1', 'x', '{rehearse,second}', '2026-03-01 00:00Z',
        clock_timestamp() + interval '1 day', '2026-03-01 00:00Z')
      """)
    let calm = try rehearsal.program("health").output
    try rehearsal.run(
      "UPDATE jobkit.run SET after_until = clock_timestamp() - interval '1 hour' WHERE id = 2")
    let loud = try rehearsal.program("health").output

    #expect(!calm.contains("waits for other jobs"))
    #expect(
      loud.contains(
        #/second: run 2 waits for other jobs .* longer than its 'after_limit', and no daemon has/#),
      "\(loud)")
  }
}
