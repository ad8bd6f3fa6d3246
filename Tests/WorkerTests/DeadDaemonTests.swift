import Glibc
import Ledger
import Postgres
import TestSupport
import Testing

@testable import WorkerProgram

/// What the commands say of a daemon that was killed a moment ago.
@Suite("A daemon that was killed")
struct DeadDaemonTests {
  private let rehearsal: Rehearsal

  init() throws {
    rehearsal = try Rehearsal()
    try rehearsal.run(
      "INSERT INTO jobkit.job (name, known_since, decided_until) VALUES ('rehearse', now(), now())")
    try rehearsal.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, parts, parts_left, parts_failed,
        decided_at, decided_by, started_at, finished_at)
      VALUES ('rehearse', '2026-03-01T10:00:00Z', 'manual', 'failed', 1, 0, 1, now(), 'a', now(),
        now())
      """)
    try rehearsal.run(
      """
      INSERT INTO jobkit.part (run, number, job, state, not_before, finished_at, error)
      VALUES (1, 0, 'rehearse', 'failed', now(), now(), 'no luck')
      """)
  }

  /// A daemon that was seen so many seconds ago.
  private func appear(on host: String, process: Int, seen seconds: Int) throws {
    try rehearsal.run(
      """
      INSERT INTO jobkit.daemon (name, host, process, version, settings_hash, jobs, started_at,
        seen_at, ready_at)
      VALUES ('a daemon', \(host), \(process), '1', '1', '{rehearse}', now(),
        now() - make_interval(secs => \(seconds)), now())
      """)
    try rehearsal.run(
      "INSERT INTO jobkit.presence (seen_at) SELECT seen_at FROM jobkit.daemon")
  }

  private func said(_ words: String...) throws -> String {
    try rehearsal.program(words: words).output
  }

  /// The same while it was seen so many seconds ago, however long the commands before took.
  private func said(_ words: String..., seen seconds: Int) throws -> String {
    try rehearsal.run(
      "UPDATE jobkit.daemon SET seen_at = now() - make_interval(secs => \(seconds))")
    return try rehearsal.program(words: words).output
  }

  @Test func `on its own host it counts as dead at once`() throws {
    let process = try ChildProcess("/bin/true", [])
    try process.status()
    try appear(on: Host.name, process: Int(process.id), seen: 1)

    #expect(try said("retry", "1").hasSuffix("none with code for 'rehearse' is alive\n"))
    #expect(try said("daemons").contains("dead: its process \(process.id) is gone"))
    let absence = #/^no daemon is alive, since .+ \(.+\): nothing is decided and nothing runs\n/#
    #expect(try said("jobs").contains(absence))
    #expect(try said("ps").contains(absence))
    #expect(try said("health", "--only", "schedule").contains("schedule  no daemon since "))
    let doctor = try said("doctor", "--only", "daemons")
    #expect(doctor.contains("daemons: a daemon stopped without shutting down: killed, or cut off"))
    #expect(doctor.contains("daemons: no daemon is alive: nothing is decided or run"))
  }

  @Test func `elsewhere it is said that it was not seen, from the first sign that it missed`()
    throws
  {
    try appear(on: "elsewhere", process: 1, seen: 21)

    let doubt = #/if a daemon is alive: it was not seen for \d+ s\n$/#
    #expect(try said("retry", "1", seen: 21).contains(doubt))
    #expect(try said("daemons", seen: 21).contains(#/ not seen for \d+ s\n/#))
    let why = try said("why", "rehearse", seen: 21)
    #expect(why.contains("\na daemon, which has code for it, was not seen for "))
    let late = #/^no daemon was seen for \d+ s: a daemon may have been killed, or cut off\n/#
    #expect(try said("jobs", seen: 21).contains(late))
    #expect(try said("ps", seen: 21).contains(late))
    #expect(
      try said("doctor", "--only", "daemons", seen: 21).contains(
        #/warning +daemons: a daemon was not seen for \d+ s/#))
  }

  @Test func `one that is well is no news`() throws {
    try appear(on: Host.name, process: Int(getpid()), seen: 1)

    #expect(try said("ps", seen: 1) == "nothing runs\n")
    #expect(try !said("jobs", seen: 1).contains("no daemon"))
    #expect(
      try said("retry", "1", seen: 1).hasSuffix(
        "a daemon goes on with it as soon as a worker is free\n"))
  }

  @Test func `a number that a younger process has is not the daemon's`() throws {
    #expect(!HostProcess.isGone(Int(getpid()), ranUntil: .zero))
    #expect(HostProcess.isGone(Int(getpid()), ranUntil: .seconds(1_000_000_000)))
    #expect(!HostProcess.isGone(0, ranUntil: .zero))
  }
}
