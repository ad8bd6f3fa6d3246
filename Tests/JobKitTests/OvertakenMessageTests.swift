@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// What was decided before people could be told is not announced to them.
@Suite("Overtaken messages")
struct OvertakenMessageTests {
  private let stage: Stage

  init() throws { stage = try Stage(at: "2026-03-01T10:00:00Z") }

  /// How somebody decides about a held run.
  enum Decision: CaseIterable { case approved, cancelled }

  private func hold() throws -> Int {
    try stage.enter { $0.overlap = .allow }
    let part = try stage.claimOne()
    try Ledger.hold(
      part.claim, planned: 9, because: "too few", at: stage.clock.reading, on: stage.connection)
    return part.claim.fence.run
  }

  private func decide(_ decision: Decision, about run: Int) throws {
    switch decision {
    case .approved:
      #expect(try Ledger.approve(run, by: "ana", at: stage.now, on: stage.connection))
    case .cancelled:
      #expect(try Ledger.cancel(run, by: "ana", at: stage.now, on: stage.connection))
    }
  }

  /// Ticks of a job that no worker has taken within five minutes, and the message of them, untold.
  private func tellInVainOfLateRun() throws -> NoticeMessage {
    var scheduler = try stage.scheduler(.sample())
    try stage.pass(.seconds(60))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    try stage.pass(.seconds(301))
    let message = try #require(try stage.claimMessages().first { $0.event == .late })
    #expect(try stage.record(message, error: "away"))
    return message
  }

  private func messages() throws -> Int { try stage.count("SELECT count(*) FROM jobkit.message") }

  @Test(arguments: Decision.allCases)
  func `a run about which somebody decided before anybody was told is not announced`(
    decision: Decision
  ) throws {
    try decide(decision, about: try hold())

    #expect(try stage.claimMessages().isEmpty)
    #expect(try stage.count("SELECT count(*) FROM jobkit.notice") == 0 && messages() == 0)
    #expect(try !stage.hasNews())
  }

  @Test(arguments: Decision.allCases)
  func `a message that waits for its receiver is withdrawn when somebody has decided`(
    decision: Decision
  ) throws {
    let run = try hold()
    let message = try #require(try stage.claimMessages().first)
    #expect(try stage.record(message, error: "away"))
    try decide(decision, about: run)

    try stage.pass(.seconds(5))
    let claimed = try stage.claimMessages()

    #expect(claimed.isEmpty && message.event == .held)
    #expect(try messages() == 0 && !stage.hasNews())
  }

  @Test func `a message that waits for its receiver is sent while its run is still held`() throws {
    _ = try hold()
    let message = try #require(try stage.claimMessages().first)
    #expect(try stage.record(message, error: "away"))

    try stage.pass(.seconds(5))

    #expect(try stage.claimMessages().map(\.id) == [message.id])
  }

  @Test func `a message that one of two ways has taken counts as told once it is overtaken`() throws
  {
    let run = try hold()
    let now = try stage.now
    let message = try #require(try stage.claimMessages().first)
    let half = SentMessage(
      message: message, toldChannels: ["command"], error: "away", claimedAt: now)
    #expect(try Ledger.record(half, at: now, on: stage.connection))
    try decide(.approved, about: run)

    try stage.pass(.seconds(5))

    #expect(try stage.claimMessages().isEmpty)
    #expect(try stage.text("SELECT state FROM jobkit.message") == "told")
  }

  @Test func `nobody withdraws a message while another daemon sends it`() throws {
    let run = try hold()
    let message = try #require(try stage.claimMessages(by: "one").first)
    try decide(.approved, about: run)

    #expect(try stage.claimMessages(by: "two").isEmpty)
    #expect(try stage.record(message))
  }

  @Test func `a run that has begun is no longer announced as late`() throws {
    _ = try tellInVainOfLateRun()
    _ = try stage.claimOne()

    try stage.pass(.seconds(5))

    #expect(try stage.claimMessages().isEmpty && messages() == 0)
  }

  @Test func `a run that still waits is announced as late when the receiver is back`() throws {
    let message = try tellInVainOfLateRun()

    try stage.pass(.seconds(5))

    #expect(try stage.claimMessages().map(\.id) == [message.id])
  }

  @Test func `a message about many runs speaks of those about which nobody has decided`() throws {
    let runs = try [hold(), hold(), hold()]
    let message = try #require(try stage.claimMessages().first)
    #expect(try stage.record(message, error: "away"))
    try decide(.cancelled, about: runs[2])

    try stage.pass(.seconds(5))
    let claimed = try stage.claimMessages()

    #expect(message.times == 3 && message.run == runs[2])
    #expect(claimed.map(\.id) == [message.id])
    #expect(claimed.map(\.times) == [2] && claimed.map(\.run) == [runs[1]])
    #expect(claimed.map(\.reason) == ["too few"])
  }

  @Test func `a pause that somebody ended before the receiver was back is not announced`() throws {
    try Ledger.enter(["sample"], at: stage.now, on: stage.connection)
    let pause = Pause(since: try stage.now, author: "ana", reason: "an incident", until: nil)
    _ = try Ledger.pause("sample", pause, on: stage.connection)
    try stage.pass(.seconds(86_401))
    let message = try #require(try stage.claimMessages().first)
    #expect(try stage.record(message, error: "away"))
    _ = try Ledger.resume("sample", at: stage.now, on: stage.connection)

    try stage.pass(.seconds(5))

    #expect(message.event == .pausedTooLong)
    #expect(try stage.claimMessages().isEmpty && messages() == 0)
  }

  private func succeed() throws {
    try stage.pass(.seconds(1))
    try stage.enter { $0.overlap = .allow }
    try stage.finish(try stage.claimOne())
  }

  @Test func `failures that a run made good before anybody was told are not announced`() throws {
    for _ in 1...3 { try stage.fail() }
    try succeed()

    #expect(try stage.claimMessages().isEmpty && messages() == 0)
    #expect(try !stage.hasNews())
  }

  @Test func `failures that could not be told are withdrawn when the job has succeeded`() throws {
    try stage.fail()
    #expect(try stage.record(try #require(try stage.claimMessages().first), error: "away"))
    try succeed()

    #expect(try stage.claimMessages().isEmpty && messages() == 0)
  }

  @Test func `that a job succeeded again is told once its failures have been`() throws {
    try stage.fail()
    let failed = try #require(try stage.claimMessages().first)
    try succeed()

    #expect(try stage.claimMessages().isEmpty)
    #expect(try stage.record(failed))
    #expect(try stage.claimMessages().map(\.event) == [.recovered])
  }

  @Test func `of two messages of a job the later one leaves when the earlier one is told`() throws {
    _ = try hold()
    #expect(try stage.record(try #require(try stage.claimMessages().first), error: "away"))
    try stage.fail()
    try stage.pass(.seconds(5))

    let first = try stage.claimMessages()
    let between = try stage.claimMessages()
    #expect(try stage.record(try #require(first.first)))

    #expect(first.map(\.event) == [.held] && between.isEmpty)
    #expect(try stage.claimMessages().map(\.event) == [.failed])
  }
}
