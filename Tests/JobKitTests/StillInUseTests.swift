@testable import JobKit
@testable import Ledger

import LocalTime
import Migrations
import Postgres
import TestSupport
import Testing

@Suite("A migration and the programs that are alive")
final class StillInUseTests {
  private static let noon = Instant(secondsSince1970: 1_772_366_400)

  private let database: TestDatabase
  private let connection: Connection

  init() throws {
    database = try TestDatabase()
    connection = try database.connect()
    try Schema().migrate(by: "ana", at: Self.noon - .seconds(3600), on: connection)
  }

  private static let newest = Schema().newest

  /// The ledger with one more step, which programs endure that know `oldest`; nobody does when it is nil.
  private static func ledger(enduredSince oldest: Int?) -> Schema {
    let step = Migration(
      newest + 1, "narrow", Array("SELECT 1;".utf8), enduredSince: oldest)
    return Schema(Migration.all + [step])
  }

  /// Shows a process of a program that knows so much of the ledger.
  private func show(
    _ word: UInt32, knowing version: Int?, byHand: Bool = false,
    at moment: Instant = StillInUseTests.noon
  ) throws {
    let name = DaemonID(
      host: "db1", process: 17, version: "0.9", settingsHash: "1", word: word,
      schemas: version.map { ["jobkit": $0] } ?? [:])
    try Ledger.showAlive(
      name, jobs: [], draining: false, byHand: byHand, at: moment, on: connection)
  }

  private func refusal(
    of schema: Schema, at moment: Instant = StillInUseTests.noon + .seconds(16)
  ) -> MigrationError? {
    do {
      try schema.requireNobodyTooOld(
        seenWithin: DaemonRecord.aliveFor, at: moment, on: connection)
      return nil
    } catch { return error as? MigrationError }
  }

  @Test func `one that daemons alive cannot live with is refused, with who, which and what to do`()
    throws
  {
    try show(7, knowing: Self.newest - 1)
    try show(8, knowing: Self.newest - 2)
    try show(9, knowing: Self.newest)

    let refused = refusal(of: Self.ledger(enduredSince: Self.newest))

    #expect(
      refused?.description == "the migration 'jobkit \(Self.newest + 1) narrow' takes away what"
        + " programs that are alive still use: db1:17:7 (version 0.9, seen 16s ago), db1:17:8 (version"
        + " 0.9, seen 16s ago); nothing was changed: let them end with 'worker drain db1:17:7 db1:17:8"
        + " --wait 5m', then migrate, or write --force: what they work at fails")
  }

  @Test func `a run by hand stands in its way too, and nobody can ask it to drain`() throws {
    try show(7, knowing: Self.newest - 1, byHand: true)

    let refused = refusal(of: Self.ledger(enduredSince: Self.newest))

    #expect(
      refused?.description == "the migration 'jobkit \(Self.newest + 1) narrow' takes away what"
        + " programs that are alive still use: db1:17:7 (run by hand, version 0.9, seen 16s ago);"
        + " nothing was changed: wait for the end of the run by hand, or cancel it, then migrate, or"
        + " write --force: what they work at fails")
  }

  @Test func `one that everybody alive endures goes on beside them`() throws {
    try show(7, knowing: Self.newest)
    try show(8, knowing: Self.newest - 1)

    #expect(refusal(of: Self.ledger(enduredSince: Self.newest - 1)) == nil)
    #expect(refusal(of: Schema()) == nil, "nothing is missing")
    #expect(refusal(of: Self.ledger(enduredSince: nil)) != nil, "nobody endures it")
  }

  @Test(arguments: [(44, true), (45, false)])
  func `whoever was not seen for 45 seconds is gone`(seconds: Int, isRefused: Bool) throws {
    try show(7, knowing: Self.newest)

    let refused = refusal(
      of: Self.ledger(enduredSince: nil), at: Self.noon + .seconds(seconds))

    #expect((refused != nil) == isRefused)
  }

  @Test func `a program from before it could say so knows what was applied when it began`() throws {
    try show(7, knowing: nil)
    try connection.run("ALTER TABLE jobkit.daemon DROP schemas")

    #expect(refusal(of: Self.ledger(enduredSince: Self.newest)) == nil)
    #expect(refusal(of: Self.ledger(enduredSince: nil)) != nil)
  }

  @Test func `another schema of the program is judged by what is known of that one`() throws {
    let steps = [
      Migration(1, "things", Array("SELECT 1;".utf8)),
      Migration(2, "others", Array("SELECT 1;".utf8)),
    ]
    try show(7, knowing: Self.newest)
    let unknown = refusal(of: Schema([steps[0]], named: "app", rights: .ledger))
    try Schema([steps[0]], named: "app", rights: .ledger).migrate(
      by: "ana", at: Self.noon, on: connection)

    let behind = refusal(of: Schema(steps, named: "app", rights: .ledger))

    #expect(unknown == nil, "what is not there nobody uses")
    #expect(behind?.description.hasPrefix("the migration 'app 2 others' takes away") == true)
  }

  @Test func `an empty database has nobody in the way`() throws {
    let other = try TestDatabase()

    try Schema().requireNobodyTooOld(
      seenWithin: DaemonRecord.aliveFor, at: Self.noon, on: other.connect())
  }
}
