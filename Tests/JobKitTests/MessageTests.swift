@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// How what happened becomes messages, each told once.
@Suite("Messages")
struct MessageTests {
  private let stage: Stage

  init() throws { stage = try Stage(at: "2026-03-01T10:00:00Z") }

  @Test func `a storm of failures is one message that counts them`() throws {
    for _ in 1...300 { try stage.fail() }

    let messages = try stage.claimMessages()

    #expect(messages.map(\.times) == [300])
    #expect(messages.map(\.run) == [300])
  }

  @Test func `what happens again at once is told a while later, as one message`() throws {
    try stage.fail()
    #expect(try stage.record(try #require(try stage.claimMessages().first)))

    for _ in 1...3 { try stage.fail() }
    try stage.pass(.seconds(299))
    let early = try stage.claimMessages()
    let isQuiet = try !stage.hasNews()
    try stage.pass(.seconds(1))
    let messages = try stage.claimMessages()

    #expect(early.isEmpty && isQuiet)
    #expect(messages.map(\.times) == [3])
  }

  @Test func `what happens while its message cannot be told joins the next one`() throws {
    try stage.fail()
    let first = try #require(try stage.claimMessages().first)
    #expect(try stage.record(first, error: "away"))

    try stage.pass(.seconds(600))
    for _ in 1...2 { try stage.fail() }
    let again = try stage.claimMessages()
    #expect(try stage.record(try #require(again.first)))
    try stage.pass(.seconds(300))
    let next = try stage.claimMessages()

    #expect(again.map(\.id) == [first.id] && again.map(\.times) == [1])
    #expect(next.map(\.times) == [2])
  }

  @Test func `what happens again while messages are being made joins the next one`() throws {
    try stage.fail()
    #expect(try stage.record(try #require(try stage.claimMessages().first)))
    // Another daemon's failure, committed between two statements of who makes messages.
    try noteMeanwhile(.failed, after: "UPDATE")

    #expect(try stage.claimMessages().isEmpty)
  }

  @Test func `what nobody wants to be told of is dropped even while messages are made`() throws {
    var watch = Stage.watch
    watch.events = [.failed]
    try stage.fail()
    // Another daemon finds ticks missed just after what is unwanted was dropped.
    try noteMeanwhile(.missed, after: "DELETE")

    #expect(try stage.claimMessages(for: watch).map(\.event) == [.failed])
    #expect(try stage.claimMessages(for: watch).isEmpty)
  }

  /// Has what happens written down whenever a statement of this kind is through with notices.
  private func noteMeanwhile(_ event: NoticeEvent, after kind: String) throws {
    try stage.connection.run(
      script: """
        CREATE FUNCTION note_meanwhile() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO jobkit.notice (event, job, run, ticks, happened_at, not_before)
          SELECT '\(event.rawValue)', job, id, 1, now(), 'epoch' FROM jobkit.run LIMIT 1;
          RETURN NULL;
        END $$;
        CREATE TRIGGER note_meanwhile AFTER \(kind) ON jobkit.notice
          EXECUTE FUNCTION note_meanwhile();
        """)
  }

  @Test func `two daemons that claim at once have one message between them`() throws {
    let runs = 30
    for _ in 1...runs { try stage.fail() }
    let (database, watch, now) = (stage.database, Stage.watch, try stage.now)

    let claimed = try (1...6).map { number in
      TestThread {
        let connection = try database.connect()
        return try (1...20).flatMap { _ in
          try Ledger.claimMessages(
            1, for: watch, owner: "\(number)", lease: SentMessage.lease, at: now, on: connection)
        }
      }
    }.flatMap { try $0.value() }

    #expect(claimed.map(\.times) == [runs])
  }

  @Test func `a message whose daemon is lost is told by another, under the same id`() throws {
    try stage.fail()
    let lost = try #require(try stage.claimMessages(by: "one").first)

    let early = try stage.claimMessages(by: "two")
    try stage.pass(SentMessage.lease)
    let news = try stage.hasNews()
    let taken = try #require(try stage.claimMessages(by: "two").first)

    #expect(early.isEmpty && news)
    #expect(taken.id == lost.id && taken.epoch == lost.epoch + 1)
    #expect(try !stage.record(lost), "its message is another's now")
    #expect(try stage.record(taken))
    #expect(try stage.text("SELECT state FROM jobkit.message") == "told")
  }

  @Test func `a daemon leaves to others what is about jobs that it has no code for`() throws {
    try stage.fail()

    #expect(try stage.claimMessages(for: NoticeWatch(jobs: ["other"])).isEmpty)
    #expect(try stage.claimMessages().count == 1)
  }

  @Test func `a job that succeeds again is told of once, with its failures and since when`() throws
  {
    for _ in 1...3 { try stage.fail() }
    #expect(try stage.record(try #require(try stage.claimMessages().first)))
    let early = try stage.hasNews()
    try stage.pass(.seconds(60))
    try stage.enter { $0.overlap = .allow }
    try stage.finish(try stage.claimOne())

    let news = try stage.hasNews()
    let messages = try stage.claimMessages()

    #expect(!early && news)
    #expect(messages.map(\.event) == [.recovered] && messages.map(\.times) == [3])
    #expect(messages.map(\.firstAt) == [try Instant("2026-03-01T10:00:00Z")])
    #expect(try stage.record(messages[0]))
    #expect(try !stage.hasNews() && stage.claimMessages().isEmpty)
  }

  @Test func `failures that were not told yet when a job succeeds again are counted there`() throws
  {
    try stage.fail()
    #expect(try stage.record(try #require(try stage.claimMessages().first)))
    try stage.pass(.seconds(1))
    for _ in 1...2 { try stage.fail() }
    let early = try stage.claimMessages()
    try stage.pass(.seconds(1))
    try stage.enter { $0.overlap = .allow }
    try stage.finish(try stage.claimOne())

    let messages = try stage.claimMessages()

    #expect(early.isEmpty && messages.map(\.event) == [.recovered])
    #expect(messages.map(\.times) == [3])
    #expect(try stage.count("SELECT count(*) FROM jobkit.notice") == 0)
  }

  @Test func `what nobody wanted to know is forgotten after a day, but for a pause that goes on`()
    throws
  {
    try stage.fail()
    let pause = Pause(since: try stage.now, author: "ana", reason: "an incident", until: nil)
    _ = try Ledger.pause("sample", pause, on: stage.connection)

    try stage.pass(.seconds(86_401))
    try Ledger.forgetNotices(at: stage.now, on: stage.connection)

    #expect(try stage.text("SELECT string_agg(event, ' ') FROM jobkit.notice") == "paused_too_long")
  }

  @Test func `that a pause has lasted a day is told again when it could not be told at first`()
    throws
  {
    try Ledger.enter(["sample"], at: stage.now, on: stage.connection)
    let pause = Pause(since: try stage.now, author: "ana", reason: "an incident", until: nil)
    _ = try Ledger.pause("sample", pause, on: stage.connection)
    try stage.pass(.seconds(86_401))
    let first = try #require(try stage.claimMessages().first)

    #expect(try stage.record(first, error: "away"))
    try stage.pass(.seconds(5))

    #expect(first.event == .pausedTooLong)
    #expect(try stage.claimMessages().map(\.id) == [first.id])
  }

  @Test(arguments: [
    (1, 0, SentMessage.End.again(after: .seconds(5))), (2, 60, .again(after: .seconds(10))),
    (9, 7000, .again(after: .seconds(900))), (60, 86_399, .again(after: .seconds(900))),
    (60, 86_400, .givenUp),
  ])
  func `what could not be told is tried again after a wait that doubles, for a day`(
    tries: Int, age: Int, end: SentMessage.End
  ) {
    let (longAgo, made) = (Instant(secondsSince1970: 0), Instant(secondsSince1970: 864_000))
    var message = NoticeMessage(
      id: 1, event: .failed, job: "sample", firstAt: longAgo, lastAt: longAgo, madeAt: made)
    message.tries = tries

    let sent = SentMessage(
      message: message, toldChannels: [], error: "away", claimedAt: made + .seconds(age))

    #expect(sent.end == end)
  }
}
