import Glibc
import Postgres
import TestSupport
import Testing

/// What an operator is woken by: each leaves a sentence in the log and the right state in the ledger.
@Suite("The bad night")
struct BadNightTests {
  @Test func `the database is gone for a while, and every tick of the gap has its row`() throws {
    let server = try PrivateServer()
    let rehearsal = try Rehearsal(on: server)
    let daemon = try rehearsal.daemon()
    try rehearsal.wait(
      for: 1, of: "SELECT count(*) FROM jobkit.run WHERE state = 'succeeded'")

    try server.stop()
    let line = try rehearsal.awaitLine(
      "msg=\"scheduler: cannot reach", "tried again in 4s")
    try server.start()
    _ = try rehearsal.awaitLine("msg=\"scheduler: connected again\"")
    try rehearsal.passTime()
    let status = try rehearsal.rest(daemon)

    #expect(
      line.contains(
        "scheduler: cannot reach Postgres at \(server.socketFolder):5432 (database 'postgres'): "))
    #expect(line.contains("; check that it runs and that the address is right; tried again in "))
    #expect(status == 0)
    #expect(try rehearsal.losses() == [])
  }

  @Test func `a daemon that starts before its database waits for it`() throws {
    let server = try PrivateServer()
    let rehearsal = try Rehearsal(on: server)
    try server.stop()

    let daemon = try rehearsal.daemon()
    let line = try rehearsal.awaitLine("level=error")
    try server.start()

    #expect(line.contains("msg=\"cannot reach Postgres at ") && line.contains("tried again in 2s"))
    #expect(try rehearsal.rest(daemon) == 0)
  }

  @Test func `a reload with a broken file is refused line by line, and the old settings stay`()
    throws
  {
    let rehearsal = try Rehearsal()
    let daemon = try rehearsal.daemon()
    _ = try rehearsal.awaitLine("msg=started")

    try rehearsal.write(settings: "workers = 0\n\n[jobs.rehearse]\nevry = \"2s\"\n")
    daemon.send(SIGHUP)
    _ = try rehearsal.awaitLine("msg=\"settings: refused, the old ones stay in force\"")
    let said = rehearsal.log.split(separator: "\n").filter { $0.contains("msg=\"settings: ") }
      .compactMap { $0.split(separator: "msg=").last }
    let status = try rehearsal.rest(daemon)

    #expect(
      said == [
        "\"settings: \(rehearsal.settingsFile):1:11: 'workers' is 0: write a whole number from 1 to"
          + " 64, such as 4\"",
        "\"settings: \(rehearsal.settingsFile):4:1: unknown setting 'jobs.rehearse.evry': did you"
          + " mean 'jobs.rehearse.every'?\"",
        "\"settings: refused, the old ones stay in force\"",
      ])
    #expect(status == 0)
    #expect(try rehearsal.losses() == [])
  }

  @Test func `Ctrl-C again and again leaves what runs to its lease`() throws {
    let rehearsal = try Rehearsal()
    try rehearsal.slowDown(by: 3, failingOnce: false)
    let daemon = try rehearsal.daemon()
    try rehearsal.waitForChunk()

    // Two within a fifth of a second are one.
    try eventually {
      daemon.send(SIGINT)
      return (try? daemon.status(within: .milliseconds(20))) != nil
    }

    #expect(try daemon.status() >> 8 == 130)
    #expect(
      rehearsal.log.contains("told to end for the second time: what runs is left to its lease"))
    #expect(
      try rehearsal.number(
        "SELECT count(*) FROM jobkit.part WHERE state = 'running' AND cursor IS NULL") > 0)
  }

  @Test func `Ctrl-C at a run by hand ends it, and the ledger says who did`() throws {
    let rehearsal = try Rehearsal()
    try rehearsal.slowDown(by: 3, failingOnce: false)
    let run = try rehearsal.start(["run", "rehearse"])
    try rehearsal.waitForChunk()

    run.send(SIGINT)

    #expect(try run.status() >> 8 == 130)
    #expect(
      try rehearsal.number(
        """
        SELECT count(*) FROM jobkit.run
        WHERE state = 'cancelled' AND reason = 'cancelled by ' || cancel_asked_by
        """) == 1)
  }

  @Test func `a second Ctrl-C at a run by hand ends it although the database hangs`() throws {
    let server = try PrivateServer()
    let rehearsal = try Rehearsal(on: server)
    // By itself nothing ends.
    try rehearsal.set("", statementTimeout: "1d")
    try rehearsal.slowDown(by: 60, failingOnce: false)
    let run = try rehearsal.start(["run", "rehearse"])
    try rehearsal.waitForChunk()
    server.pause()

    // The first waits a second for the ledger.
    try eventually {
      run.send(SIGINT)
      return (try? run.status(within: .milliseconds(20))) != nil
    }

    #expect(try run.status() >> 8 == 130)
    #expect(
      rehearsal.log.contains(
        "ended at once: what is held here is free when its lease ends, and then a daemon or 'worker"
          + " run rehearse --resume' goes on with it"))
  }

  @Test func `a second Ctrl-C at a chunk that cannot be broken off says who cancels the run`()
    throws
  {
    let rehearsal = try Rehearsal()
    try rehearsal.slowDown(by: 60, failingOnce: false)
    try letNoChunkBeBrokenOff(in: rehearsal)
    let run = try rehearsal.start(["run", "rehearse"])
    try rehearsal.waitForChunk()
    run.send(SIGINT)
    try rehearsal.wait(
      for: 1, of: "SELECT count(*) FROM jobkit.run WHERE cancel_asked_by IS NOT NULL")

    try eventually {
      run.send(SIGINT)
      return (try? run.status(within: .milliseconds(20))) != nil
    }

    #expect(try run.status() >> 8 == 130)
    let number = try rehearsal.number("SELECT id FROM jobkit.run")
    #expect(
      rehearsal.log.contains(
        "ended at once: run \(number) is asked to end; a daemon, or 'worker cancel \(number)', cancels it"
          + " when its lease is over, and then 'worker retry \(number)' starts it again"))
    #expect(
      try rehearsal.number("SELECT count(*) FROM jobkit.run WHERE finished_at IS NULL") == 1)
  }

  private func letNoChunkBeBrokenOff(in rehearsal: Rehearsal) throws {
    try rehearsal.run(
      """
      CREATE OR REPLACE FUNCTION rehearse_chunk() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE ends timestamptz = clock_timestamp() + interval '60 seconds';
        BEGIN
          WHILE clock_timestamp() < ends LOOP
            BEGIN PERFORM pg_sleep(60); EXCEPTION WHEN query_canceled THEN NULL; END;
          END LOOP;
          RETURN NEW;
        END $$
      """)
  }

  @Test func `SIGTERM in a chunk lets it end, and hands the part over at its cursor`() throws {
    let rehearsal = try Rehearsal()
    try rehearsal.slowDown(by: 0.5, failingOnce: false)
    let daemon = try rehearsal.daemon()
    try rehearsal.waitForChunk()

    daemon.send(SIGTERM)
    let status = try daemon.status()
    let released = try rehearsal.number(
      """
      SELECT count(*) FROM jobkit.part
      WHERE state = 'due' AND failures + worker_losses = 0 AND cursor = done::text
      """)
    let heir = try rehearsal.daemon()
    let end = try rehearsal.rest(heir)

    #expect(status == 0 && end == 0)
    #expect(released > 0)
    #expect(rehearsal.log.contains("released after its last chunk"))
    #expect(try rehearsal.losses() == [])
  }
}
