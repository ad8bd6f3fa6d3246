import JobKit
import LocalTime
import Postgres
import TestKit
import Testing

@testable import Jobs

@Suite("Which pattern a push names")
struct PushReviewTests {
  private let stage: PushStage

  init() throws {
    stage = try PushStage(at: "2026-03-03T03:00:00Z")
    try stage.add(1)
    try stage.stage.connection.run(
      """
      INSERT INTO learning.patterns (pattern_id, code, name_ko, name_en)
      SELECT n, 'p' || n, 'ko', 'en' FROM generate_series(1, 3) AS n
      """)
  }

  private func review(
    _ day: String, _ pattern: Int, _ state: String, rank: Int = 1, isLocked: Bool = false
  ) throws {
    let day = try CivilDate(day)
    try stage.stage.connection.run(
      """
      INSERT INTO learning.reviews
        (user_id, local_day, rank, pattern_id, difficulty, sentences, state, locked, conquest, at)
      VALUES (1, \(day), \(rank), \(pattern), 'basic', 8, \(state), \(isLocked), 0.1, '2026-03-01Z')
      """)
  }

  private func choice(on day: String) throws -> PushChoice {
    let reader = PushFactsReader(moment: try stage.stage.now, rules: stage.job.rules, mark: nil)
    let found = try reader.facts(of: [1], on: stage.stage.connection)
    let facts = try #require(found.first)
    let zone = try stage.stage.zones.zone(named: facts.zone)
    let planner = PushPlanner(for: facts, in: zone, at: reader.moment, by: reader.rules)
    return try planner.choice(on: CivilDate(day))
  }

  @Test func `is the weakest of the newest day that has any`() throws {
    try review("2026-03-01", 1, "open")
    try review("2026-03-02", 2, "open")
    try review("2026-03-02", 3, "open", rank: 2)

    #expect(try choice(on: "2026-03-01").pattern == "p1")
    #expect(try choice(on: "2026-03-02").pattern == "p2")
    #expect(try choice(on: "2026-03-03").pattern == "p2")
  }

  @Test(arguments: ["2026-03-02", "2026-03-03"])
  func `is none when that was done and others are locked, although it is open on an earlier day`(
    day: String
  ) throws {
    try review("2026-03-01", 1, "open")
    try review("2026-03-02", 1, "done")
    try review("2026-03-02", 2, "open", rank: 2, isLocked: true)

    let choice = try choice(on: day)

    #expect(choice.template == .basic)
    #expect(choice.pattern == nil)
  }

  @Test func `is the next one of the day when weaker ones were done`() throws {
    try review("2026-03-02", 3, "done")
    try review("2026-03-02", 2, "open", rank: 2)
    try review("2026-03-02", 1, "open", rank: 3)

    #expect(try choice(on: "2026-03-03").pattern == "p2")
  }

  @Test func `is none when all that is left of the newest day was done`() throws {
    try review("2026-03-01", 1, "open")
    try review("2026-03-02", 2, "done", rank: 2)

    #expect(try choice(on: "2026-03-03").pattern == nil)
  }

  @Test func `is what is weakest after another was done`() throws {
    try review("2026-03-01", 1, "done")
    try review("2026-03-02", 2, "open")

    #expect(try choice(on: "2026-03-01").pattern == nil)
    #expect(try choice(on: "2026-03-02").pattern == "p2")
    #expect(try choice(on: "2026-03-03").pattern == "p2")
  }

  @Test func `is none by a day whose reviews were done, and the explanation says so`() throws {
    try review("2026-03-02", 1, "open")
    try review("2026-03-03", 1, "done")

    let told = try stage.job.explain(
      1, on: nil, at: stage.stage.now, in: stage.stage.zones, stage.stage.connection)

    #expect(
      told.lines.contains(
        "not 'pattern': no review of 2026-03-03, the newest day that has any, is open to the"
          + " learner"))
  }
}
