@testable import JobKit
@testable import Runner
@testable import Ledger

import LocalTime
import Migrations
import Postgres
import TestKit
import TestSupport
import Testing

/// A job that lacks a table or a right is sick by itself.
@Suite("Blocked jobs")
struct BlockedJobTests {
  private let stage: Stage
  private let needs = [
    TableNeed("public.thing", ["SELECT", "UPDATE (state, reason)"]),
    TableNeed("public.other", ["SELECT"]),
  ]
  private let sentence = "it needs public.thing, which the database does not have: restore it"

  init() throws {
    stage = try Stage(at: "2026-03-01T10:00:00Z")
    try stage.connection.run(
      script: """
        CREATE TABLE public.thing (state text, reason text);
        CREATE TABLE public.other (n bigint);
        """)
  }

  private func blocks(_ needs: [TableNeed]? = nil) throws -> String? {
    try Ledger.blocks(
      of: [(name: "sample", needs: needs ?? self.needs), (name: "free", needs: [])],
      on: stage.connection)["sample"]
  }

  /// What keeps the job from running as a role.
  private func blocks(as role: String) throws -> String? {
    try stage.connection.transaction { connection in
      try connection.run("SET LOCAL ROLE \(identifier: role)")
      return try Ledger.blocks(of: [(name: "sample", needs: needs)], on: connection)["sample"]
    }
  }

  private func note(_ reason: String?) throws -> [String?] {
    try Ledger.record(
      reason.map { ["sample": $0] } ?? [:], among: ["sample", "free"], at: stage.now,
      on: stage.connection
    ).map(\.reason)
  }

  @Test func `a job lacks nothing while all that it needs is there`() throws {
    #expect(try blocks() == nil)
  }

  @Test func `a table that is gone is named, and one that was never there`() throws {
    try stage.connection.run(script: "ALTER TABLE public.thing RENAME TO thing_before")

    #expect(try blocks() == sentence)
    let others = (1...5).map { TableNeed("nowhere.table\($0)", ["SELECT", "INSERT"]) }
    #expect(
      try blocks(others)
        == "it needs nowhere.table1, nowhere.table2, nowhere.table3 and 2 more, which the database does"
        + " not have: restore it")
  }

  @Test func `a column that is not there is named: no right would bring it`() throws {
    try stage.connection.run("ALTER TABLE public.thing DROP COLUMN reason")

    #expect(
      try blocks()
        == "it needs the column public.thing.reason, which the database does not have:"
        + " 'worker migrate up' as the owner brings it")
  }

  @Test func `a right that its role lacks is named, with what to type, and blocks it`() throws {
    let role = "role_\(UInt32.random(in: 0 ... .max))"
    let grant =
      "GRANT USAGE ON SCHEMA public TO \(role); GRANT SELECT, UPDATE ON public.thing TO \(role)"
    try stage.connection.run(
      script: "CREATE ROLE \(role); GRANT SELECT ON public.other TO \(role)")
    defer { _ = try? stage.connection.run(script: "DROP OWNED BY \(role); DROP ROLE \(role)") }
    _ = try stage.scheduler(.sample())

    let lacking = try blocks(as: role)
    _ = try note(lacking)
    let snapshot = try Ledger.healthSnapshot(at: stage.now, on: stage.connection)
    try stage.connection.run(script: grant)

    #expect(
      lacking
        == "the role '\(role)' lacks SELECT on public.thing and UPDATE on public.thing: type as the owner"
        + " '\(grant)'")
    #expect(snapshot.jobs.first?.blocked?.reason == lacking)
    #expect(try blocks(as: role) == nil)
  }

  @Test func `a blocked job is told of once, and is free again once it lacks nothing`() throws {
    _ = try stage.scheduler(.sample())
    let first = try note(sentence)
    let again = try note(sentence)
    let messages = try stage.claimMessages()
    let snapshot = try Ledger.healthSnapshot(at: stage.now, on: stage.connection)
    let free = try note(nil)

    #expect(first == [sentence] && again == [] && free == [nil])
    #expect(messages.map(\.event) == [.blocked] && messages.map(\.reason) == [sentence])
    #expect(snapshot.jobs.first?.blocked?.reason == sentence)
    #expect(
      try Ledger.healthSnapshot(at: stage.now, on: stage.connection).jobs.first?.blocked == nil)
  }

  @Test func `nobody is told of a block that is over`() throws {
    _ = try stage.scheduler(.sample())
    _ = try note(sentence)
    _ = try note(nil)

    #expect(try stage.claimMessages().isEmpty)
  }

  @Test func `a message that waits for its receiver is withdrawn when the job is free again`()
    throws
  {
    _ = try stage.scheduler(.sample())
    _ = try note(sentence)
    let message = try #require(try stage.claimMessages().first)
    #expect(try stage.record(message, error: "away"))
    _ = try note(nil)
    try stage.pass(.seconds(60))

    #expect(try stage.claimMessages().isEmpty)
    #expect(try stage.count("SELECT count(*) FROM jobkit.message") == 0)
  }

  @Test func `its ticks are skipped with the reason, and the tick after it is free again runs`()
    throws
  {
    var scheduler = try stage.scheduler(.sample())
    _ = try note(sentence)
    try stage.pass(.seconds(60))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    _ = try note(nil)
    try stage.pass(.seconds(60))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    #expect(
      try stage.runs() == [
        "2026-03-01T10:01:00Z skipped blocked: \(sentence)", "2026-03-01T10:02:00Z due",
      ])
  }

  @Test func `where no tick has come since, none was skipped`() throws {
    _ = try stage.scheduler(.sample())
    try stage.pass(.seconds(1))
    _ = try note(sentence)
    try stage.pass(.seconds(58))
    let before = try Ledger.healthSnapshot(at: stage.now, on: stage.connection)
    let early = try before.diagnoses(of: [.sample()], at: stage.now).first?.problems
    try stage.pass(.seconds(1))
    let after = try Ledger.healthSnapshot(at: stage.now, on: stage.connection)
    let late = try after.diagnoses(of: [.sample()], at: stage.now).first?.problems

    #expect(
      early?.first?.description
        == "sample: its ticks will be skipped: \(sentence); then it goes on by itself")
    #expect(
      late?.first?.description.hasPrefix("sample: its ticks have been skipped for 59s: ") == true)
  }

  @Test func `health says which table, since when, and what to do`() throws {
    _ = try stage.scheduler(.sample())
    _ = try note(sentence)
    try stage.pass(.seconds(90))
    try stage.connection.run("UPDATE jobkit.job SET decided_until = \(try stage.now)")
    let snapshot = try Ledger.showAlive(
      .sample(1), jobs: ["sample"], ready: true, draining: false, at: stage.now,
      on: stage.connection)

    #expect(
      snapshot.problems(of: [try .sample()], at: try stage.now).map(\.description) == [
        "sample: its ticks have been skipped for 1m30s: \(sentence); then it goes on by itself"
      ])
  }
}
