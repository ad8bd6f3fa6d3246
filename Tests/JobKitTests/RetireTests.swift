@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import TestKit
import Testing

/// What is left of a job that was retired, and of the others.
@Suite("Retiring a job")
struct RetireTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-01T12:00:00Z")
    for job: JobName in ["sample", "other"] {
      for _ in 1...5 {
        try stage.enter(job, parts: 2)
        for part in try stage.claim(2, of: [job]) { try stage.finish(part, as: .failed("no")) }
      }
      try stage.connection.run(
        """
        INSERT INTO jobkit.message (event, job, times, first_at, last_at, made_at, not_before)
        SELECT 'failed', \(job), 1, now, now, now, now FROM (SELECT \(try stage.now)) AS clock (now)
        """)
      try stage.connection.run(
        "INSERT INTO jobkit.schedule VALUES (\(job), \(try stage.now), 'every 1m')")
    }
  }

  private func estate() throws -> Ledger.Estate? {
    try Ledger.estate(of: "sample", at: stage.now, on: stage.connection)
  }

  private func retire() throws -> Bool {
    try Ledger.retire("sample", batch: 2, at: stage.now, on: stage.connection)
  }

  /// How many rows of a job each table has.
  private func rows(of job: JobName) throws -> String {
    try stage.text(
      """
      SELECT concat_ws(' ', (SELECT count(*) FROM jobkit.job WHERE name = \(job)),
        (SELECT count(*) FROM jobkit.run WHERE job = \(job)),
        (SELECT count(*) FROM jobkit.part WHERE job = \(job)),
        (SELECT count(*) FROM jobkit.schedule WHERE job = \(job)),
        (SELECT count(*) FROM jobkit.notice WHERE job = \(job)),
        (SELECT count(*) FROM jobkit.message WHERE job = \(job)))
      """)
  }

  @Test func `all that the ledger has of it goes, in batches, and nothing else`() throws {
    let before = try estate()

    #expect(try retire())

    #expect(before?.runs == 5 && before?.schedules == 1 && before?.messages == 6)
    #expect(before?.isFree == true)
    #expect(try rows(of: "sample") == "0 0 0 0 0 0")
    #expect(try rows(of: "other") == "1 5 10 1 5 1")
    #expect(try estate() == nil)
  }

  @Test func `a run that is not over keeps it`() throws {
    let run = try stage.enter()

    #expect(try estate()?.openRun == run)
    #expect(try !retire())
    #expect(try rows(of: "sample").hasPrefix("1 6 "))
  }

  @Test func `a daemon that has code for it keeps it while it is alive`() throws {
    try Ledger.showAlive(
      .sample(7), jobs: ["sample"], draining: false, at: stage.now, on: stage.connection)
    let alive = try estate()?.daemon
    let kept = try !retire()
    try stage.pass(.seconds(61))

    #expect(alive == "host:1:7" && kept)
    #expect(try retire())
  }

  @Test func `whoever was interrupted goes on by asking again`() throws {
    try stage.connection.run("DELETE FROM jobkit.run WHERE job = 'sample' AND id < 4")

    #expect(try retire())
    #expect(try rows(of: "sample") == "0 0 0 0 0 0")
  }
}
