@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@Suite("Retry")
struct RetryTests {
  @Test(arguments: [
    (1, 10.0), (2, 20.0), (3, 40.0), (7, 640.0), (8, 900.0), (62, 900.0), (63, 900.0),
  ])
  func `each wait is twice the one before up to the longest, a tenth of it spread`(
    failures: Int, seconds: Double
  ) throws {
    let retry = Retry(tries: 64)

    let waits = try (0..<2000).map { seed in
      try #require(retry.wait(after: failures, seed: UInt64(seed))) / .seconds(1)
    }

    #expect(try #require(waits.min()) >= 0.95 * seconds - 0.001)
    #expect(try #require(waits.max()) <= 1.05 * seconds + 0.001)
    #expect(Set(waits).count == 1000)
  }

  @Test(arguments: [(1, 0), (2, 1), (5, 4)])
  func `a part is tried so often, and then given up`(tries: Int, waits: Int) {
    let retry = Retry(tries: tries)

    let given = (1...10).count { retry.wait(after: $0, seed: 0) != nil }

    #expect(given == waits)
  }

  @Test func `the parts that failed or were cancelled run again, the others do not`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 4)
    let parts = try stage.claim(3)
    for (part, end) in zip(parts, [PartEnd.succeeded, .failed("no")]) {
      try stage.finish(part, as: end)
    }
    #expect(try Ledger.cancel(1, by: "ana", at: stage.now, on: stage.connection))
    try stage.finish(parts[2], as: .cancelled)
    let before = try stage.state()

    #expect(try Ledger.retry(1, at: stage.now, on: stage.connection))
    let again = try stage.claim(10)
    for part in again { try stage.finish(part) }

    #expect(before == "failed succeeded,failed,cancelled,cancelled")
    #expect(again.map(\.fence.part) == [1, 2, 3])
    #expect(again.allSatisfy { $0.failures == 0 && $0.workerLosses == 0 })
    #expect(try stage.state() == "succeeded succeeded,succeeded,succeeded,succeeded")
    #expect(try stage.contradictions().isEmpty)
  }

  @Test func `a run that failed again can be retried again`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 2)
    for part in try stage.claim(2) { try stage.finish(part, as: .failed("no")) }

    for end in [PartEnd.failed("again"), .succeeded] {
      #expect(try Ledger.retry(1, at: stage.now, on: stage.connection))
      let parts = try stage.claim(2)
      try stage.finish(parts[0])
      if parts.count > 1 { try stage.finish(parts[1], as: end) }
      #expect(try stage.contradictions().isEmpty)
    }

    #expect(try stage.state() == "succeeded succeeded,succeeded")
  }

  @Test func `a run that is not over is not retried, even when a part of it has failed`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter(parts: 2)
    let parts = try stage.claim(2)
    try stage.finish(parts[0], as: .failed("no"))

    let early = try Ledger.retry(1, at: stage.now, on: stage.connection)
    try stage.finish(parts[1])
    let unknown = try Ledger.retry(99, at: stage.now, on: stage.connection)

    #expect(!early && !unknown)
    #expect(try stage.state() == "failed failed,succeeded")
  }

  @Test func `a run that succeeded or was never due is not retried`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.enter()
    try stage.finish(stage.claimOne())

    #expect(try !Ledger.retry(1, at: stage.now, on: stage.connection))
    #expect(try stage.state() == "succeeded succeeded")
  }

  @Test func `of many who retry a run at once one does it`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    let (database, now) = (stage.database, try stage.now)
    try stage.enter(parts: 5)

    for _ in 1...20 {
      for part in try stage.claim(5) { try stage.finish(part, as: .failed("no")) }
      let retries = (0..<4).map { _ in
        TestThread { try Ledger.retry(1, at: now, on: database.connect()) }
      }
      #expect(try retries.count { try $0.value() } == 1)
      #expect(try stage.contradictions().isEmpty)
    }
  }
}
