import LocalTime
import Testing

@testable import Jobs

@Suite("Whether a push goes out, and in which minute")
struct PushDecisionTests {
  private let evening = "2026-03-01T20:55"
  private let day: CivilDate

  init() throws {
    day = try CivilDate("2026-03-01")
  }

  /// A learner who is reminded on 1 March between 20:55 and 21:40.
  private func learner(_ change: (inout PushFacts) throws -> Void = { _ in }) throws -> PushCase {
    var learner = try PushCase(studies: "2026-02-28T20:10")
    try change(&learner.facts)
    return learner
  }

  private func verdict(of learner: PushCase, at time: String? = nil) throws -> PushDecision.Verdict
  {
    let planner = try learner.planner(at: time ?? evening)
    return planner.decision(on: planner.plan(for: day)).verdict
  }

  @Test func `of several reasons against a push the first is the one that is told`() throws {
    var learner = try learner {
      $0.rows = [try PushRow("2026-02-28", .sent, handedAt: "2026-03-01T11:00:00Z")]
    }
    learner.rules.holdoutPermille = 1000
    learner.facts.hasDevice = false
    learner.facts.eligibility = PushEligibility(
      isActive: false, hasConsent: false, hasOptedIn: false)

    var reasons = [try verdict(of: learner)]
    for lift in [
      \PushFacts.eligibility.isActive, \.eligibility.hasConsent, \.eligibility.hasOptedIn,
      \.hasDevice,
    ] {
      learner.facts[keyPath: lift].toggle()
      reasons.append(try verdict(of: learner))
    }
    learner.rules.holdoutPermille = 0
    reasons.append(try verdict(of: learner))

    #expect(
      reasons == [
        .suppressed(.inactive), .suppressed(.noConsent), .suppressed(.optedOut),
        .suppressed(.noDevice), .suppressed(.holdout), .suppressed(.capped),
      ])
  }

  @Test(arguments: [(-1, true), (0, false), (1, false)])
  func `eight hours lie between two pushes, to the minute`(minutes: Int, isCapped: Bool) throws {
    var learner = try learner()
    let planner = try learner.planner(at: evening)
    let minute = try #require(planner.plan(for: day).minute)
    let handed = minute.advanced(bySeconds: -8 * 3600 - 60 * minutes)
    learner.facts.rows = [
      PushRow(
        day: day.advanced(by: -1), state: .sent, kind: .reminder, plannedAt: handed, evidence: nil,
        windowTo: nil, handedAt: handed)
    ]

    #expect(try verdict(of: learner) == (isCapped ? .suppressed(.capped) : .planned))
  }

  @Test(arguments: [
    ("2026-03-01T21:39:59", PushDecision.Verdict.planned),
    ("2026-03-01T21:40", .expired(.windowPassed)), ("2026-03-02T03:00", .expired(.windowPassed)),
  ])
  func `a run that comes too late sends nothing late`(
    now: String, expected: PushDecision.Verdict
  ) throws {
    #expect(try verdict(of: learner(), at: now) == expected)
  }

  @Test func `one learner in fifty is held out, always the same ones`() throws {
    var learner = try learner()
    learner.rules.holdoutPermille = 20
    let heldOut = try (1...5000).filter { user in
      learner.facts.user = user
      return try learner.planner(at: evening).isHeldOut
    }
    learner.rules.holdoutPermille = 50
    let more = try (1...5000).filter { user in
      learner.facts.user = user
      return try learner.planner(at: evening).isHeldOut
    }

    #expect((70...130).contains(heldOut.count))
    #expect(Set(more).isSuperset(of: heldOut))
  }

  @Test func `a million learners do not share a minute, and each keeps to one a day`() throws {
    var learner = try learner()
    var counts: [Instant: Int] = [:]
    for user in 1...4500 {
      learner.facts.user = user
      let minute = try learner.planner(at: evening).plan(for: day).minute
      #expect(try learner.planner(at: "2026-03-01T21:00").plan(for: day).minute == minute)
      counts[try #require(minute), default: 0] += 1
    }

    #expect(counts.count == 45)
    #expect(counts.values.allSatisfy { (50...150).contains($0) })
  }

  @Test(
    arguments: [
      ([0, 1, 2, 2], [0, 1, 2, 2], nil), ([0, 1, 2, 2, 2], [0, 0, 1, 1, 2, 2, 2], 2),
      ([0, 0, 2, 2, 2], [0, 0, 2, 2, 2, 2, 2, 2], 0), ([1, 1, 1, 0, 2], [1, 1, 1, 0, 0, 2, 2], 1),
      ([0, 0, 1, 1, 1], [0, 0, 1, 1, 1], 0), ([2, 2, 2, 2, 2], [1, 2, 2, 2, 2, 2], 2),
      ([1, 1, 2, 2, 2], [1, 1, 1, 2, 2, 2, 2, 2], 1),
    ] as [([Int], [Int], Int?)])
  func `who has opened five pushes gets the third of the window with the best open rate`(
    opened: [Int], handed: [Int], third: Int?
  ) throws {
    var learner = try learner {
      $0.openedThirds = opened
      $0.handedThirds = handed
    }
    let start = try learner.zone.instant(of: LocalDateTime(evening))
    var minutes: Set<Int> = []
    for user in 1...500 {
      learner.facts.user = user
      let plan = try learner.planner(at: evening).plan(for: day)
      #expect(plan.third == third)
      minutes.insert(Int((try #require(plan.minute) - start) / .seconds(60)))
    }

    #expect(minutes == Set(third.map { ($0 * 15)..<($0 * 15 + 15) } ?? 0..<45))
  }
}
