@testable import JobKit
@testable import Ledger
@testable import Runner

import Jobs
import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// Others have locked the row of a push that is due: who plans, the app, a worker that has lost its part.
@Suite("Pushes that others have locked")
struct LockedPushTests {
  private let scene: PushScene
  private let postbox = Postbox()

  init() throws {
    scene = try PushScene()
    try scene.addDue(1...3)
  }

  private var job: InParts { InParts(1, of: DeliverPushes(through: postbox, saying: .builtIn)) }

  private static let lock = "SELECT FROM learning.notifications WHERE user_id = 2 FOR UPDATE"

  @Test func `are sent in the same run when others let go of them`() throws {
    let other = try scene.stage.held(by: Self.lock, then: "SELECT 1")

    let run = try scene.stage.run(job)
    try other.value()

    #expect(run.state == .succeeded && run.counters["sent"] == 3)
    #expect(postbox.ids == ["1/2026-03-01", "3/2026-03-01", "2/2026-03-01"])
  }

  @Test func `are sent as others have left them`() throws {
    let other = try scene.stage.held(
      by: "UPDATE learning.notifications SET template = 'encourage' WHERE user_id = 2",
      then: "SELECT 1")

    let run = try scene.stage.run(job)
    try other.value()

    #expect(run.state == .succeeded && run.counters["sent"] == 3)
    #expect(try scene.state(of: 2) == "sent")
  }

  @Test func `are let alone when others turn out to have decided against them`() throws {
    let other = try scene.stage.held(
      by: """
        UPDATE learning.notifications SET state = 'suppressed', reason = 'opted_out', ended_at = planned_at
        WHERE user_id = 2
        """, then: "SELECT 1")

    let run = try scene.stage.run(job)
    try other.value()

    #expect(run.state == .succeeded && run.counters["sent"] == 2)
    #expect(try scene.state(of: 2) == "suppressed opted_out")
  }

  @Test func `are left to the next run when they stay locked, and keep no others waiting`() throws {
    let other = try scene.stage.opened(Statement(verbatim: Self.lock))

    let run = try scene.stage.run(job)
    let sent = postbox.ids
    try other.run("COMMIT")
    let next = try scene.stage.run(job)

    #expect(run.state == .succeeded && next.counters["sent"] == 1)
    #expect(sent == ["1/2026-03-01", "3/2026-03-01"])
    #expect(
      try scene.stage.text("SELECT string_agg(failures::text, ' ') FROM jobkit.part") == "0 0")
  }

  @Test func `are sent when others let go of them, beside one that stays locked`() throws {
    let other = try scene.stage.held(by: Self.lock, then: "SELECT 1")
    let stuck = try scene.stage.opened(
      "SELECT FROM learning.notifications WHERE user_id = 1 FOR UPDATE")

    let run = try scene.stage.run(job)
    try other.value()
    try stuck.run("COMMIT")

    #expect(run.state == .succeeded && run.counters["sent"] == 2)
    #expect(postbox.ids == ["3/2026-03-01", "2/2026-03-01"])
  }

  @Test func `are only those of which a row is locked, whatever number a reader locks`() throws {
    // What programs before this one locked: 'push' in ASCII, and the learner.
    let reader = try scene.stage.opened(
      "SELECT pg_advisory_xact_lock(x'70757368'::int, hashint8(user_id)) FROM learning.users")

    let run = try scene.stage.run(job)
    try reader.run("COMMIT")

    #expect(run.state == .succeeded && run.counters["sent"] == 3)
  }

  @Test func `are told of when they are left`() throws {
    let other = try scene.stage.opened(Statement(verbatim: Self.lock))

    let outcome = try scene.outcome(of: job)
    try other.run("COMMIT")

    #expect(
      outcome
        == "succeeded: sent 2 pushes; left to the next run, still locked by others: 1")
  }

  @Test func `are not waited for by a dry run`() throws {
    let other = try scene.stage.opened(Statement(verbatim: Self.lock))

    let report = try scene.stage.dryRun(job)
    try other.run("COMMIT")

    #expect(report.progress.counters["sent"] == 2)
  }
}
