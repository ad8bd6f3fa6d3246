@testable import JobKit
@testable import Runner

import Postgres
import TestKit
import TestSupport
import Testing

/// Chunks of which a statement takes longer than it may.
@Suite("A chunk that takes too long")
struct CutOffChunkTests {
  private let stage: Stage
  private let tried = Box<[ClosedRange<Int>]>()

  init() throws {
    stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.connection.run(script: "CREATE TABLE effect (n bigint PRIMARY KEY)")
    try stage.enter()
  }

  /// Writes the numbers from 1 to 40, so many at a time; a chunk that `isCutOff` has written and is undone.
  private func run(
    _ most: Int, _ isCutOff: @escaping @Sendable (ClosedRange<Int>) -> Bool
  ) throws -> PartOutcome? {
    let tried = self.tried
    tried.value = []
    let job = Rehearsed { context in
      try context.inChunks(of: ChunkSize(always: most)) { connection, progress, most in
        let numbers = progress.done + 1...min(progress.done + most, 40)
        tried.value = (tried.value ?? []) + [numbers]
        try connection.run(
          "INSERT INTO effect SELECT * FROM generate_series(\(numbers.lowerBound), \(numbers.upperBound))"
        )
        if isCutOff(numbers) {
          try connection.run("SELECT pg_sleep(60)", within: .milliseconds(20))
        }
        progress.done = numbers.upperBound
        return progress.done < 40 ? .more : .finished
      }
      return Outcome("wrote \(context.progress.done)")
    }
    let pool = WorkerPool(
      name: .sample(1), jobs: [WorkerPool.Member(job: job, policies: Policies())],
      zones: stage.zones)
    var worker = Worker(
      of: pool, clock: stage.clock, on: try Connection(to: Server(stage.database.url)))
    return try worker.work().first?.end
  }

  @Test func `it is tried again with fewer rows until what is too much alone is among few`() throws
  {
    let end = try run(32) { $0.contains(7) && $0.count > 1 }

    guard case .succeeded(let outcome)? = end else {
      Issue.record("\(String(describing: end))")
      return
    }
    #expect(outcome == Outcome("wrote 40"))
    let tries = try #require(tried.value)
    #expect(tries.prefix(2) == [1...32, 1...2] && tries.contains(7...7))
    #expect(try stage.count("SELECT count(*) FROM effect") == 40)
    #expect(try stage.count("SELECT failures::bigint FROM jobkit.part") == 0)
    let cuts = tries.count { $0.contains(7) && $0.count > 1 }
    #expect(
      try stage.text("SELECT counter_names::text || counter_values::text FROM jobkit.part")
        == "{\"chunks cut off\"}{\(cuts)}")
  }

  @Test func `it has failed when a single row takes too long`() throws {
    let end = try run(32) { $0.contains(1) }

    guard case .retry(let error, after: _)? = end else {
      Issue.record("\(String(describing: end))")
      return
    }
    #expect(error.contains("pg_sleep"))
    #expect(tried.value == [1...32, 1...2, 1...1])
    #expect(try stage.count("SELECT count(*) FROM effect") == 0)
  }
}
