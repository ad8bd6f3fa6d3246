@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Migrations
import Postgres
import Synchronization
import TestSupport
import Testing

@Suite("Daemons that are asked to end")
struct DrainTests {
  private let site: Site

  init() throws { site = try Site() }

  /// The daemons that the ledger knows.
  private func known() throws -> [DaemonRecord] { try Ledger.daemons(on: site.connect()) }

  private func ask(_ names: [String], by author: String) throws {
    let connection = try site.connect()
    let now = try LedgerClock.database.now(on: connection)
    try Ledger.askToDrain(names, by: author, at: now, on: connection)
  }

  @Test func `a daemon hears of it with its next look, once, and goes on until it is drained`()
    throws
  {
    let requests = Requests()
    let daemon = try site.daemon(heardBy: [requests])
    daemon.start()
    try eventually { try known().first?.readyAt != nil }

    try ask([daemon.pool.name.text], by: "ana")
    try eventually { !requests.heard.isEmpty }
    try ask([daemon.pool.name.text], by: "bob")
    try site.awaitSuccesses(1, after: LedgerClock.database.now(on: site.connect()))
    daemon.drain(within: .hang)

    #expect(requests.heard == ["ana"])
    #expect(site.log.count { $0 == "info: told to end by ana" } == 1)
    #expect(try known().isEmpty)
  }

  @Test func `a daemon says at once that it is ready, and that it drains`() throws {
    let (hasBegun, mayEnd) = (Box<Bool>(), Box<Bool>())
    let daemon = try site.daemon { context in
      hasBegun.value = true
      try eventually { mayEnd.value == true }
      return Outcome("done")
    }
    daemon.start()
    try eventually { try known().first?.readyAt != nil }
    try eventually { hasBegun.value == true }

    let end = TestThread { daemon.drain(within: .hang) }
    try eventually { try known().first?.isDraining == true }
    let seen = try known().map { [$0.isAlive(at: $0.seenAt), $0.isByHand] }
    mayEnd.value = true
    try end.value()

    #expect(seen == [[true, false]])
  }

  @Test func `a run by hand is not asked`() throws {
    let connection = try site.connect()
    let now = try LedgerClock.database.now(on: connection)
    try Ledger.showAlive(
      .sample(7), jobs: [], draining: false, byHand: true, at: now, on: connection)

    try ask([DaemonID.sample(7).text], by: "ana")

    #expect(try known().map(\.drainAskedBy) == [nil])
  }

  @Test func `a newer program migrates under a running daemon, which goes on and can start again`()
    throws
  {
    let daemon = try site.daemon()
    daemon.start()
    try site.awaitSuccesses(1)
    let connection = try site.connect()
    let now = try LedgerClock.database.now(on: connection)
    let step = Migration(
      1000, "wider", Array("ALTER TABLE jobkit.run ADD wide bigint NOT NULL DEFAULT 0;".utf8),
      enduredSince: Migration.all.last?.version)

    try Schema(Migration.all + [step]).migrate(by: "ana", at: now, on: connection)
    try site.awaitSuccesses(2, after: now)
    daemon.drain(within: .hang)
    let pending = try Schema().pending(on: connection)
    let heir = try site.daemon()
    heir.start()
    let later = try LedgerClock.database.now(on: connection)
    try site.awaitSuccesses(1, after: later)
    heir.drain(within: .hang)

    #expect(pending.isEmpty)
    #expect(try site.ticksWithoutOneRow() == 0)
    #expect(site.log.filter { $0.hasPrefix("error") } == [])
  }
}

/// Keeps who asked for the end.
private final class Requests: DaemonListener {
  private let authors = Mutex<[String]>([])

  var heard: [String] { authors.withLock(\.self) }

  func handle(_ event: DaemonEvent) {
    guard case .toldToEnd(let author) = event else { return }
    authors.withLock { $0.append(author) }
  }
}
