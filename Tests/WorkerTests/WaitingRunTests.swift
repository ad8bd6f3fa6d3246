import Glibc
import Postgres
import TestSupport
import Testing

/// A run by hand whose tries fail, and what is said of it everywhere while it waits.
@Suite("A run that waits for its next try")
struct WaitingRunTests {
  private let rehearsal: Rehearsal

  /// A rehearsal whose first chunk fails, and that is tried again an hour later.
  init() throws {
    rehearsal = try Rehearsal()
    try rehearsal.set(
      "[jobs.rehearse]\nparts = 1\ntries = 3\nfirst_wait = \"1h\"\nlongest_wait = \"1h\"")
    try rehearsal.slowDown(by: 0, failingOnce: true)
  }

  private func startAndFail() throws -> ChildProcess {
    let run = try rehearsal.start(["run", "rehearse", "--for", "2026-03-01T10:00:00Z"])
    try rehearsal.wait(
      for: 1, of: "SELECT count(*) FROM jobkit.part WHERE state = 'due' AND failures = 1")
    return run
  }

  @Test func `the command waits with it, and goes on when it is time`() throws {
    let run = try startAndFail()

    try rehearsal.passTime()

    #expect(try run.status() == 0)
    #expect(
      rehearsal.log.contains(/a mishap.*; tries again in 5[0-9] min [0-9]+ s \(try 2 of 3\)\n/))
    #expect(rehearsal.log.contains("run 1 succeeded in "))
  }

  @Test func `every command says what it waits for, and who goes on with it`() throws {
    let run = try startAndFail()
    defer { run.send(SIGKILL) }

    let wait = /waits for its next try in 5[0-9] min, as a try failed: .*a mishap/
    let condition = /tries again in 5[0-9] min/
    for words in [["runs"], ["jobs"], ["show", "1"]] {
      let told = try rehearsal.program(words: words).output
      #expect(told.contains(condition), "\(words): \(told)")
    }
    for words in [["why", "rehearse"], ["ps"]] {
      let told = try rehearsal.program(words: words).output
      #expect(told.contains(wait), "\(words): \(told)")
    }
    #expect(try rehearsal.program("runs", "--json").output.contains(#""waits_for": "next_try""#))
    let refused = try rehearsal.program("run", "rehearse")
    #expect(refused.errors.contains(wait) && refused.exitCode == 75)
    #expect(refused.errors.contains("'worker run rehearse --resume' goes on with it"))
  }

  @Test func `Ctrl-C while it waits says what is kept and how to go on`() throws {
    let run = try startAndFail()

    run.send(SIGINT)

    #expect(try run.status() >> 8 == 130)
    #expect(
      rehearsal.log.hasSuffix(
        "note: run 1: nothing of it was done; 'worker retry 1' makes the rest due again, and 'worker"
          + " run rehearse --resume' goes on with it\n"))
    #expect(try rehearsal.program("retry", "1").exitCode == 0)
    #expect(try rehearsal.program("run", "rehearse", "--resume").exitCode == 0)
    #expect(try rehearsal.number("SELECT count(*) FROM rehearsal") == 5)
  }

  @Test func `with --no-retry the first failure is the last, and is said once`() throws {
    let run = try rehearsal.program("run", "rehearse", "--no-retry")

    #expect(run.exitCode == 1)
    #expect(run.output.hasPrefix("run 1 failed in "))
    #expect((run.output + run.errors).split(separator: "a mishap").count == 2, "\(run.errors)")
    #expect(run.errors.contains("note: part 0 (of 1): failed\n"))
  }

  @Test func `Ctrl-C before one's own run began says that none was entered`() throws {
    let first = try startAndFail()
    defer { first.send(SIGKILL) }
    let second = try rehearsal.start(["run", "rehearse", "--wait", "10m"])
    _ = try rehearsal.awaitLine("note: waits for run 1, which waits for its next try")

    second.send(SIGINT)

    #expect(try second.status() >> 8 == 130)
    #expect(rehearsal.log.hasSuffix("note: interrupted: no run of rehearse was entered\n"))
    #expect(try rehearsal.number("SELECT count(*) FROM jobkit.run") == 1)
  }
}
