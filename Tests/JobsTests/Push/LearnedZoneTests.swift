import JobKit
import Ledger
import LocalTime
import Postgres
import Runner
import TestKit
import TestSupport
import Testing

@testable import Jobs

/// Phones may have newer zone data than the server, whose own comes later.
@Suite("Pushes in a zone that is not known yet")
struct LearnedZoneTests {
  private let scene: PushStage
  private let folder: ZoneFolder
  private let zones: ZoneDatabase

  /// A learner who studied in Tokyo the evening before, where only Seoul is known.
  init() throws {
    scene = try PushStage(at: "2026-03-01T03:00:00Z")
    folder = try ZoneFolder(of: "Asia/Seoul")
    zones = try ZoneDatabase(root: folder.path)
    try scene.add(1, zone: "Asia/Tokyo")
    try scene.study(1, 1, end: "2026-02-28T20:10", zone: "Asia/Tokyo")
    try scene.stage.awaitNeighbours()
  }

  /// Turns the clock to an instant and runs the job for it, by a worker that knows these zones.
  private func run(at text: String) throws -> RunRecord {
    let stage = scene.stage
    stage.clock.turn(to: try Instant(text))
    let definition = scene.job.definition
    let request = Ledger.RunRequest(
      definition.name, for: try stage.now, parts: 1, policies: definition.policies, by: "test")
    let number = try Ledger.enter(request, at: stage.now, on: stage.connection)
    let pool = WorkerPool(
      name: DaemonID(host: "host", process: 1, version: "1", settingsHash: "1", word: 1),
      jobs: [WorkerPool.Member(job: scene.job, policies: definition.policies)], zones: zones,
      lease: .seconds(15))
    var worker = Worker(of: pool, clock: stage.clock, on: try stage.database.connect())
    while try !worker.work().isEmpty {}
    return try stage.record(of: number)
  }

  private func lookAt() throws -> Instant {
    try scene.stage.connection.run("SELECT look_at FROM learning.push_agenda").only[0]
  }

  @Test func `are planned on the evening after its data have come`() throws {
    _ = try run(at: "2026-03-01T03:00:00Z")
    _ = try run(at: "2026-03-01T09:00:00Z")
    try folder.release("2025c", with: "Asia/Tokyo", like: "Asia/Tokyo")
    _ = try zones.reload()

    let evening = try run(at: "2026-03-02T11:55:00Z")

    #expect(evening.counters["planned"] == 1)
    #expect(try scene.rows() == ["1 2026-03-02 reminder planned"])
  }

  @Test func `are looked at every six hours, and put aside once`() throws {
    let first = try run(at: "2026-03-01T03:00:00Z")
    let later = try lookAt()
    let idle = try run(at: "2026-03-01T08:00:00Z")
    let afterIdle = try lookAt()
    let again = try run(at: "2026-03-01T09:00:00Z")

    #expect(first.counters["quarantined"] == 1)
    #expect(try later == Instant("2026-03-01T09:00:00Z") && afterIdle == later)
    #expect(try lookAt() == Instant("2026-03-01T15:00:00Z"))
    #expect(idle.counters == Counters() && again.counters == Counters())
    #expect(try scene.rows().isEmpty)
  }
}
