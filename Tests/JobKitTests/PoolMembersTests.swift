@testable import JobKit
@testable import Runner

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// Other settings, taken on while a daemon works.
@Suite("Other settings")
struct PoolMembersTests {
  /// A daemon that is moved by hand, and the crew whose members' parts fail when `work` does.
  private func daemon(
    on stage: Stage, tries: Int, _ work: @escaping @Sendable (inout JobContext) throws -> Outcome
  ) throws -> Daemon {
    var policies = Policies()
    policies.retry.tries = tries
    let pool = WorkerPool(
      name: .sample(1), jobs: [WorkerPool.Member(job: Rehearsed(work: work), policies: policies)],
      zones: try SampleSettings.zones.get())
    return Daemon(
      pool: pool, jobs: [], workers: 0, server: try Server(stage.database.url), clock: stage.clock)
  }

  private func work(of daemon: Daemon, on stage: Stage) throws -> String {
    var worker = Worker(
      of: daemon.pool, clock: stage.clock, on: try stage.database.connect())
    return try worker.work().map { "\($0.end)" }.joined(separator: ", ")
  }

  @Test func `a part that is claimed after a reload is treated by the new policies`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    let daemon = try daemon(on: stage, tries: 5) { _ in throw Mishap() }
    try stage.enter()
    let before = try work(of: daemon, on: stage)
    try stage.pass(.seconds(60))

    daemon.reschedule([try .sample { $0.retry.tries = 1 }])
    let after = try work(of: daemon, on: stage)

    #expect(before.hasPrefix("failed: a mishap; tries again in "))
    #expect(after == "failed: a mishap")
  }

  @Test func `a part that runs while settings are reloaded stays held, under its old policies`()
    throws
  {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    let (reloaded, held) = (Box<Daemon>(), Box<[Fence]>())
    let daemon = try daemon(on: stage, tries: 5) { _ in
      reloaded.value?.reschedule([try .sample { $0.retry.tries = 1 }])
      held.value = reloaded.value?.pool.activeParts.fences
      throw Mishap()
    }
    reloaded.value = daemon
    defer { reloaded.value = nil }
    try stage.enter()

    let end = try work(of: daemon, on: stage)

    #expect(held.value?.count == 1)
    #expect(end.hasPrefix("failed: a mishap; tries again in "))
  }

  @Test func `a run that is claimed after a reload remembers the new settings`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    let daemon = try daemon(on: stage, tries: 1) { _ in Outcome("done") }
    for _ in 1...2 { try stage.enter { $0.overlap = .allow } }

    _ = try work(of: daemon, on: stage)
    daemon.reschedule([], settingsHash: "2")
    _ = try work(of: daemon, on: stage)

    #expect(
      try stage.text("SELECT string_agg(settings_hash, ' ' ORDER BY id) FROM jobkit.run") == "1 2")
  }

  private struct Mishap: Error, CustomStringConvertible {
    let description = "a mishap"
  }
}
