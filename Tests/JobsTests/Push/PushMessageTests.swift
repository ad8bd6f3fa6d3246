import LocalTime
import Testing

@testable import Jobs

@Suite("What a push says")
struct PushMessageTests {
  private let day: CivilDate
  private let planner: (PushCase) throws -> PushPlanner

  init() throws {
    day = try CivilDate("2026-03-10")
    planner = { try $0.planner(at: "2026-03-10T08:00") }
  }

  private func learner(
    lastStudied: String? = "2026-03-09T20:10", streak: (String, Int)? = nil,
    lastDay: String = "2026-03-09", reviews: [(String, String)] = []
  ) throws -> PushCase {
    var learner = try PushCase(in: "Asia/Seoul", studies: lastStudied.map { [$0] } ?? [])
    let last = try CivilDate(lastDay)
    learner.facts.streak = streak.map {
      .init(state: $0.0, days: $0.1, lastDay: $0.0 == "none" ? nil : last)
    }
    learner.facts.reviews = try reviews.map { .init(day: try CivilDate($0.0), pattern: $0.1) }
    return learner
  }

  @Test(arguments: [
    ("kept", 3, "2026-03-09T20:10", "2026-03-09", PushTemplate.streak),
    ("kept", 2, "2026-03-09T20:10", "2026-03-09", .basic),
    ("none", 0, "2026-03-01T20:10", "2026-03-01", .encourage),
    ("kept", 9, "2026-03-10T07:00", "2026-03-10", .basic),
    // Repaired: the 9th was not studied.
    ("kept", 12, "2026-03-08T20:10", "2026-03-09", .streak),
    // The 9th was missed: by the hours of grace, and with a token that may repair it.
    ("kept", 12, "2026-03-08T20:10", "2026-03-08", .encourage),
    ("repairable", 12, "2026-03-08T20:10", "2026-03-08", .encourage),
  ])
  func `a streak of three days that one session keeps comes first`(
    state: String, days: Int, studied: String, lastDay: String, template: PushTemplate
  ) throws {
    let learner = try learner(lastStudied: studied, streak: (state, days), lastDay: lastDay)

    let choice = try planner(learner).choice(on: day)

    #expect(choice.template == template)
    #expect(choice.streakDays == (template == .streak ? days : nil))
  }

  @Test(
    arguments: [
      (["2026-03-10"], "p0"), (["2026-03-03"], "p0"), (["2026-03-02"], nil), (["2026-03-11"], nil),
      (["2026-03-05", "2026-03-09", "2026-03-07"], "p1"), ([], nil),
    ] as [([String], String?)])
  func `the weakest pattern of the newest review within seven days comes second`(
    days: [String], pattern: String?
  ) throws {
    let reviews = days.enumerated().map { ($0.element, "p\($0.offset)") }

    let choice = try planner(learner(reviews: reviews)).choice(on: day)

    #expect(choice.template == (pattern == nil ? .basic : .pattern))
    #expect(choice.pattern == pattern)
  }

  @Test(
    arguments: [
      ("2026-03-09T23:59", PushTemplate.basic), ("2026-03-08T23:59", .encourage), (nil, .basic),
    ] as [(String?, PushTemplate)])
  func `who has not studied for two days is encouraged`(
    studied: String?, template: PushTemplate
  ) throws {
    let choice = try planner(learner(lastStudied: studied)).choice(on: day)

    #expect(choice.template == template)
    #expect((choice.variant != nil) == (template == .encourage))
  }

  @Test func `each learner stays with a variant, in the shares of the experiment`() {
    let even = PushExperiment("tone", on: .encourage, variants: ["warm": 1, "funny": 1])
    let uneven = PushExperiment("tone", on: .encourage, variants: ["warm": 9, "funny": 1])
    let none = PushExperiment("tone", on: .encourage, variants: ["warm": 0])

    let warm = (1...4000).filter { even.variant(for: $0) == "warm" }
    let funny = (1...4000).filter { uneven.variant(for: $0) == "funny" }

    #expect((1850...2150).contains(warm.count))
    #expect((300...500).contains(funny.count))
    #expect(warm == (1...4000).filter { even.variant(for: $0) == "warm" })
    #expect(none.variant(for: 1) == nil)
  }

  @Test func `each template that loses has its reason`() throws {
    let fresh = try planner(learner(streak: ("kept", 2)))
    let studied = try planner(learner(lastStudied: "2026-03-10T07:00", streak: ("kept", 8)))
    let missed = try planner(
      learner(
        lastStudied: "2026-03-08T20:10", streak: ("repairable", 8), lastDay: "2026-03-08"))
    let unknown = try planner(learner(lastStudied: nil))
    let objections = { (planner: PushPlanner) in
      PushTemplate.allCases.map { planner.objection(to: $0, on: day) }
    }

    #expect(
      objections(fresh)
        == [.shortStreak(days: 2, least: 3), .noReview, .studiedRecently(daysAgo: 1), nil])
    #expect(
      objections(studied) == [.streakAtNoRisk, .noReview, .studiedRecently(daysAgo: 0), nil])
    #expect(objections(missed) == [.streakMissedDay, .noReview, nil, nil])
    #expect(objections(unknown) == [.noStreak, .noReview, .neverStudied, nil])
  }
}
