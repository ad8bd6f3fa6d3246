@testable import JobKit
@testable import Ledger
@testable import Runner

import Jobs
import LocalTime
import TestKit
import Testing

@Suite("A refresh that makes no boards")
struct NoBoardsTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-11T04:00:00Z", with: .learning)
    try stage.addLearner(1)
    try stage.score(1, 1, at: "2026-03-10T20:00:00Z", on: "2026-03-10")
  }

  /// Runs one part for a moment; returns how that ended, in the words of the log.
  private func outcome(
    for moment: String = "2026-03-11T04:00:00Z", parts: Int = 1, percent: Int = 100
  ) throws -> String {
    let job = RefreshLeaderboard()
    var request = Ledger.RunRequest(
      job.definition.name, for: try Instant(moment), parts: parts,
      policies: job.definition.policies, by: "test")
    request.percent = percent
    _ = try Ledger.enter(request, at: stage.now, on: stage.connection)
    var worker = try stage.worker(1, WorkerPool.Member(job: job, policies: job.definition.policies))
    return "\(try #require(try worker.work().first?.end))"
  }

  @Test func `says that readers see later ones, where it is for a moment before them`() throws {
    let first = try outcome()

    let late = try outcome(for: "2026-03-10T04:00:00Z")

    #expect(first.hasSuffix("switched readers to 4 new boards, 4 entries"))
    #expect(
      late.hasSuffix(
        "no boards for 2026-03-10T04:00:00Z: readers already see those of 2026-03-11T04:00:00Z, and"
          + " no run goes back before them"))
  }

  @Test func `says that they are there already`() throws {
    _ = try outcome()

    let again = try outcome()

    #expect(
      again.hasSuffix("the boards of 2026-03-11T04:00:00Z are there already: this run made none"))
  }

  @Test func `says that the part which ends last makes them, or that a canary has none`() throws {
    let canary = try outcome(percent: 50)
    let part = try outcome(parts: 2)

    #expect(
      canary.hasSuffix("added up scores of 50% of learners; a canary run makes no boards"))
    #expect(part.hasSuffix("added up scores; the part that ends last makes the boards"))
  }
}
