internal import Postgres
internal import TestSupport
internal import Testing

/// What the commands say of a job that does not run: who paused it, and that nobody could run it.
@Suite("A job that does not run")
struct StillJobTests {
  @Test func `a job that nobody alive could run says so beside its next tick`() throws {
    let rehearsal = try Rehearsal()

    let dead = try rehearsal.program("why", "rehearse")
    try rehearsal.run(
      """
      INSERT INTO jobkit.worker (name, host, process, version, settings_hash, jobs, started_at, seen_at)
      VALUES ('db1:1:a', 'db1', 1, '1', 'aa', '{deliver_pushes}', now(), now()),
        ('db2:1:b', 'db2', 1, '1', 'aa', '{rehearse}', now(), now() - interval '2 min')
      """)
    let silent = try rehearsal.program("why", "rehearse")
    try rehearsal.run("UPDATE jobkit.worker SET seen_at = now()")
    let alive = try rehearsal.program("why", "rehearse")

    let sentence = "\nno daemon with code for it is alive: nothing runs until one is\n"
    #expect(dead.output.contains(sentence) && silent.output.contains(sentence))
    #expect(!alive.output.contains("no daemon with code for it is alive"))
  }
}
