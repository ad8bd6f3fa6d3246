import JobKit
import LocalTime
import Postgres
import Testing

@Suite("Worker")
struct WorkerTests {
  private func counting(to last: Int) -> Crew.Member {
    Crew.Member(
      job: Rehearsed { context in
        try context.inChunks { connection, progress in
          let next = (progress.cursor.flatMap { Int($0) } ?? 0) + 1
          try connection.run("INSERT INTO effect VALUES (\(next))")
          progress.cursor = "\(next)"
          progress.done = next
          progress.counters.count("effects")
          return next == last ? .finished : .more
        }
        return Outcome("counted")
      }, policies: Policies())
  }

  @Test func `a due part is run once, chunk by chunk`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.sample())
    try stage.connection.run("CREATE TABLE effect (n bigint PRIMARY KEY)")
    stage.clock.turn(to: try Instant("2026-03-01T10:01:00Z"))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    var worker = try stage.worker(1, counting(to: 3))

    let done = try worker.work()
    let nothing = try worker.work()

    #expect(done?.progress.counters["effects"] == 3)
    #expect(nothing == nil)
    #expect(try stage.runs() == ["2026-03-01T10:01:00Z succeeded"])
  }
}
