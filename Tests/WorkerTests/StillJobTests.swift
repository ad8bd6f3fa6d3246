internal import Postgres
internal import TestSupport
internal import Testing

/// What the commands say of a job that does not run: who paused it, and that nobody could run it.
@Suite("A job that does not run")
struct StillJobTests {
  @Test func `a pause that takes another's place says whose it was`() throws {
    let rehearsal = try Rehearsal()
    try rehearsal.run(
      """
      INSERT INTO jobkit.job
        (name, known_since, decided_until, paused_at, paused_by, pause_reason, paused_until)
      VALUES ('rehearse', now(), now(), '2026-03-01T10:00:00Z', 'bob@db1', 'an incident', NULL),
        ('deliver_pushes', now(), now(), '2026-03-01T10:00:00Z', 'bob@db1', 'over', '2026-03-02')
      """)
    let words = ["--reason", "the release", "--until", "2999-01-01T00:00:00Z"]

    let replacing = try rehearsal.program(words: ["pause", "rehearse"] + words)
    let again = try rehearsal.program(words: ["pause", "rehearse", "--json"] + words)
    let other = try rehearsal.program(words: ["pause", "deliver_pushes", "--json"] + words)

    let author = try #require(replacing.output.firstMatch(of: /paused by (\S+) until/)).output.1
    #expect(author.contains("@"))
    #expect(
      replacing.output == """
        rehearse is paused by \(author) until 2999-01-01 00:00 (UTC): the release
        this replaces the pause by bob@db1 since 2026-03-01 10:00 (UTC), until somebody resumes it: an incident

        """)
    #expect(again.output.contains(/"replaced": {\n +"paused_by": "[^"]+@/))
    #expect(other.output.contains("\"replaced\": null"))
  }

  @Test func `a job that nobody alive could run says so beside its next tick`() throws {
    let rehearsal = try Rehearsal()

    let dead = try rehearsal.program("why", "rehearse")
    try rehearsal.run(
      """
      INSERT INTO jobkit.daemon (name, host, process, version, settings_hash, jobs, started_at, seen_at)
      VALUES ('db1:1:a', 'db1', 1, '1', 'aa', '{deliver_pushes}', now(), now()),
        ('db2:1:b', 'db2', 1, '1', 'aa', '{rehearse}', now(), now() - interval '2 min')
      """)
    let silent = try rehearsal.program("why", "rehearse")
    try rehearsal.run("UPDATE jobkit.daemon SET seen_at = now()")
    let alive = try rehearsal.program("why", "rehearse")

    let sentence = "\nno daemon with code for it is alive: nothing runs until one is\n"
    #expect(dead.output.contains(sentence) && silent.output.contains(sentence))
    #expect(!alive.output.contains("no daemon with code for it is alive"))
  }
}
