@testable import JobKit
@testable import Ledger

import LocalTime
import Migrations
import Postgres
import TestSupport
import Testing

@Suite("Migrations")
struct MigrationTests {
  private static let noon = Instant(secondsSince1970: 1_772_366_400)

  private static let two = [
    Migration(1, "things", Array("CREATE TABLE jobkit.thing (n bigint);".utf8)),
    Migration(2, "more", Array("ALTER TABLE jobkit.thing ADD m bigint;".utf8)),
  ]

  @Test func `an empty database has everything to come, and looking at it writes nothing`() throws {
    let database = try TestDatabase()
    let connection = try database.connect()

    let status = try Schema().status(on: connection)

    #expect(status.map(\.migration) == Migration.all)
    #expect(status.allSatisfy { $0.appliedAt == nil })
    #expect(
      try connection.run("SELECT to_regnamespace('jobkit') IS NULL AS is_new").only["is_new"])
  }

  @Test func `what is missing is applied in order, once, and says when and by whom`() throws {
    let database = try TestDatabase()
    let connection = try database.connect()
    let schema = Schema(Self.two)
    try Schema([Self.two[0]]).migrate(by: "ana", at: Self.noon, on: connection)

    let pending = try schema.pending(on: connection)
    let done = try schema.migrate(by: "bob", at: Self.noon + .seconds(60), on: connection)
    let again = try schema.migrate(by: "eve", at: Self.noon + .seconds(120), on: connection)

    #expect(pending.map(\.name) == ["more"] && done.map(\.name) == ["more"] && again.isEmpty)
    #expect(
      try schema.status(on: connection).map(\.appliedAt) == [Self.noon, Self.noon + .seconds(60)])
    #expect(
      try connection.run(
        "SELECT string_agg(applied_by, ' ' ORDER BY version) FROM jobkit.migration"
      )
      .only[0] == "ana bob")
  }

  @Test func `a script makes the schema only where it is missing`() throws {
    let database = try TestDatabase()
    let connection = try database.connect()
    let schema = Schema(Self.two)

    let first = try schema.script(granting: LedgerRoles(), on: connection)
    try Schema([Self.two[0]]).migrate(by: "ana", at: Self.noon, on: connection)
    let next = try schema.script(granting: LedgerRoles(), on: connection)

    #expect(first.contains("CREATE SCHEMA") && first.contains("'things'"))
    #expect(!next.contains("CREATE SCHEMA") && next.contains("'more'"))
  }

  @Test func `several hosts that migrate at once apply each step once`() throws {
    let database = try TestDatabase()

    let hosts = (0..<6).map { number in
      TestThread {
        try Schema(Migration.all).migrate(
          by: "host \(number)", at: Self.noon, on: database.connect())
      }
    }
    let applied = try hosts.flatMap { try $0.value() }

    // One host may apply the first and another the next.
    #expect(applied.map(\.version).sorted() == Migration.all.map(\.version))
  }

  @Test func `a migration that was changed after it was applied is refused`() throws {
    let database = try TestDatabase()
    let connection = try database.connect()
    try Schema(Self.two).migrate(by: "ana", at: Self.noon, on: connection)
    let changed = Schema([Migration(1, "things", Array("SELECT 1;".utf8)), Self.two[1]])

    let error = #expect(throws: MigrationError.self) {
      try changed.migrate(by: "ana", at: Self.noon, on: connection)
    }

    #expect(
      error?.description == "migration 1 'things' was applied with other contents than this program"
        + " has: two builds claim one version; nothing was changed")
    #expect(throws: MigrationError.self) { try changed.status(on: connection) }
  }

  @Test func `a database from the future is refused`() throws {
    let database = try TestDatabase()
    let connection = try database.connect()
    try Schema(Self.two).migrate(by: "ana", at: Self.noon, on: connection)

    let error = #expect(throws: MigrationError.self) {
      try Schema([Self.two[0]]).migrate(by: "ana", at: Self.noon, on: connection)
    }

    #expect(
      error?.description == "the schema of the database is at version 2 and this program knows 1: a"
        + " newer program has migrated it; run that one, nothing was changed")
  }

  /// The two steps, and a third of a newer program.
  private static func three(_ third: Migration) -> Schema { Schema(two + [third]) }

  private static let added = Array("ALTER TABLE jobkit.thing ADD o bigint;".utf8)

  @Test func `an older program goes on beside a step that it endures, but changes nothing`() throws
  {
    let database = try TestDatabase()
    let connection = try database.connect()
    let old = Schema(Self.two)
    let new = Self.three(Migration(3, "wider", Self.added, enduredSince: 2))
    try new.migrate(by: "ana", at: Self.noon, on: connection)

    #expect(try old.pending(on: connection).isEmpty)
    #expect(try old.newer(on: connection) == ["wider"])
    #expect(try new.newer(on: connection).isEmpty)
    let refused = MigrationError.fromTheFuture(found: 3, known: 2)
    #expect(throws: refused) { try old.migrate(by: "ana", at: Self.noon, on: connection) }
    #expect(throws: refused) {
      try old.grant(LedgerRoles(worker: "anybody"), on: connection)
    }
    #expect(throws: refused) { try old.script(granting: LedgerRoles(), on: connection) }
  }

  @Test func `a program that is too old for a step, or for one behind it, is refused`() throws {
    let database = try TestDatabase()
    let connection = try database.connect()
    let new = Self.three(Migration(3, "wider", Self.added, enduredSince: 2))
    try new.migrate(by: "ana", at: Self.noon, on: connection)

    let oldest = #expect(throws: MigrationError.self) {
      try Schema([Self.two[0]]).pending(on: connection)
    }
    let narrow = Migration(4, "narrow", Array("ALTER TABLE jobkit.thing DROP m;".utf8))
    try Schema(new.migrations + [narrow]).migrate(by: "ana", at: Self.noon, on: connection)

    #expect(oldest == .fromTheFuture(found: 3, known: 1))
    #expect(throws: MigrationError.fromTheFuture(found: 4, known: 2)) {
      try Schema(Self.two).pending(on: connection)
    }
  }

  @Test func `a table of migrations from before they said whom they endure is understood`() throws {
    let database = try TestDatabase()
    let connection = try database.connect()
    try Schema([Self.two[0]]).migrate(by: "ana", at: Self.noon, on: connection)
    try connection.run("ALTER TABLE jobkit.migration DROP works_with")

    let pending = try Schema(Self.two).pending(on: connection)
    try Schema(Self.two).migrate(by: "ana", at: Self.noon, on: connection)

    #expect(pending.map(\.version) == [2])
    #expect(
      try connection.run(
        "SELECT string_agg(coalesce(works_with::text, '-'), ' ' ORDER BY version) FROM jobkit.migration"
      ).only[0] == "- 2")
  }

  @Test func `a step that fails leaves nothing of itself, and those before it stay`() throws {
    let database = try TestDatabase()
    let connection = try database.connect()
    let broken = Schema([
      Self.two[0],
      Migration(2, "more", Array("CREATE TABLE jobkit.half (n bigint); SELECT 1 / 0;".utf8)),
    ])

    #expect(throws: PostgresError.self) {
      try broken.migrate(by: "ana", at: Self.noon, on: connection)
    }

    let isInTransaction = connection.isInTransaction
    #expect(!isInTransaction)
    #expect(try Schema(Self.two).pending(on: connection).map(\.name) == ["more"])
    #expect(
      try connection.run("SELECT to_regclass('jobkit.half') IS NULL AS is_gone").only["is_gone"])
  }

  @Test func `a step that meets a busy table gives up soon, so that nobody queues behind it`()
    throws
  {
    let database = try TestDatabase()
    let connection = try database.connect()
    let other = try database.connect()
    let schema = Schema(
      Self.two, patience: MigrationPatience(lockLimit: .milliseconds(50), tries: 1))
    try Schema([Self.two[0]]).migrate(by: "ana", at: Self.noon, on: connection)

    let error = try other.transaction { other in
      try other.run("SELECT FROM jobkit.thing")
      return #expect(throws: PostgresError.self) {
        try schema.migrate(by: "ana", at: Self.noon, on: connection)
      }
    }

    #expect(error?.report?.sqlState == "55P03")
    #expect(try schema.migrate(by: "ana", at: Self.noon, on: connection).map(\.name) == ["more"])
  }
}
