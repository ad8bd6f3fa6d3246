@testable import Jobs

import LocalTime
import Testing

@Suite("The verdict on a reward")
struct RewardVerdictTests {
  private static let received = "2026-03-05T12:00:00Z"

  private func reward(
    _ kind: String = "session_completed", amount: Int = 40, session: Int? = 7,
    clock: String = "2026-03-05T11:00:00Z", isKeyTaken: Bool = false,
    sessionReceived: String? = "2026-03-05T11:50:00Z", isCompleted: Bool = true,
    isStudy: Bool = true
  ) throws -> PendingReward {
    PendingReward(
      learner: 1, queueId: 1, place: "(0,1)", key: "a", kind: kind, amount: amount,
      sessionId: session,
      serverClock: try Instant(clock), receivedAt: try Instant(Self.received),
      isKeyTaken: isKeyTaken,
      session: try sessionReceived.map { received in
        PendingReward.Session(
          receivedAt: try Instant(received), isCompleted: isCompleted, isStudy: isStudy)
      })
  }

  private func verdict(
    on reward: PendingReward, at now: String = "2026-03-05T12:01:00Z"
  ) throws -> RewardVerdict {
    RewardVerdict(on: reward, at: try Instant(now), by: RewardRules())
  }

  private let instant = Result { try Instant(Self.received) }

  @Test func `a session is worth its amount as score and as XP, a bonus as XP alone`() throws {
    let session = try verdict(on: reward())
    let bonus = try verdict(on: reward("bonus", session: nil, sessionReceived: nil))

    #expect(session == .settled(score: 40, xp: 40, at: try instant.get()))
    #expect(bonus == .settled(score: 0, xp: 40, at: try instant.get()))
  }

  @Test func `a key that was taken makes a duplicate of whatever it is`() throws {
    let verdict = try verdict(on: reward("gold", amount: -1, isKeyTaken: true))

    #expect(verdict == .duplicate(at: try instant.get()))
  }

  @Test func `what cannot be is rejected at once`() throws {
    let unknown = try verdict(on: reward("gold", amount: -1))
    let negative = try verdict(on: reward(amount: -1))
    let nameless = try verdict(on: reward(session: nil, sessionReceived: nil))
    let impossible = try verdict(on: reward(isStudy: false))

    #expect(unknown == .rejected(.unknownKind, at: try instant.get()))
    #expect(negative == .rejected(.negativeAmount, at: try instant.get()))
    #expect(nameless == .rejected(.noSuchSession, at: try instant.get()))
    #expect(impossible == .rejected(.noSuchSession, at: try instant.get()))
  }

  @Test(arguments: [
    ("2026-03-05T12:00:01Z", RewardVerdict.Reason.clockInTheFuture),
    ("2026-03-05T12:00:00Z", nil),
    ("2026-02-26T12:00:00Z", nil),
    ("2026-02-26T11:59:59Z", .clockTooOld),
  ])
  func `the server's clock may be seven days old, and never ahead`(
    clock: String, reason: RewardVerdict.Reason?
  ) throws {
    let verdict = try verdict(on: reward(clock: clock))

    #expect(
      verdict
        == (try reason.map { .rejected($0, at: try instant.get()) }
          ?? .settled(score: 40, xp: 40, at: try instant.get())))
  }

  @Test(arguments: [
    ("2026-03-06T11:59:59Z", true),
    ("2026-03-06T12:00:00Z", false),
  ])
  func `a reward waits 24 hours for its session to come, and to be completed`(
    now: String, waits: Bool
  ) throws {
    let missing = try verdict(on: reward(sessionReceived: nil), at: now)
    let unfinished = try verdict(on: reward(isCompleted: false, isStudy: false), at: now)

    let deadline = try Instant("2026-03-06T12:00:00Z")
    #expect(
      missing == (waits ? .waits(until: deadline) : .rejected(.noSuchSession, at: deadline)))
    #expect(unfinished == missing)
  }

  @Test func `a session that comes after the 24 hours is too late, however late the run`() throws {
    let inTime = try verdict(
      on: reward(sessionReceived: "2026-03-06T12:00:00Z"), at: "2026-03-09T00:00:00Z")
    let late = try verdict(
      on: reward(sessionReceived: "2026-03-06T12:00:01Z"), at: "2026-03-09T00:00:00Z")

    let deadline = try Instant("2026-03-06T12:00:00Z")
    #expect(inTime == .settled(score: 40, xp: 40, at: deadline))
    #expect(late == .rejected(.noSuchSession, at: deadline))
  }
}
