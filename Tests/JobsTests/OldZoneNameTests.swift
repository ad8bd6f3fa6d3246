import JobKit
import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@testable import Jobs

/// A phone may call a zone what it was called when the phone was made.
@Suite("A learner whose zone goes by another name than the server's")
struct OldZoneNameTests {
  private let stage: Stage
  private let folder: ZoneFolder
  private let zones: ZoneDatabase

  init() throws {
    stage = try Stage(at: "2026-03-10T21:00:00Z", with: .learning)
    folder = try ZoneFolder(of: "Asia/Kolkata")
    zones = try ZoneDatabase(root: folder.path)
    try stage.addLearner(1, zone: "Asia/Calcutta")
    try stage.addLearner(2, zone: "Mars/Olympus")
  }

  @Test func `has a local day for reviews and widgets as for pushes`() throws {
    let table = try ZoneTable(of: zones, at: stage.now)

    let learners = try ReviewLearner.read([1, 2], in: table, on: stage.connection)
    let snapshots = WidgetSnapshots(asOf: try stage.now, zones: table, rules: WidgetRules())
    let renewed = try stage.connection.transaction {
      try snapshots.refresh([1, 2], by: "refresh_widget_snapshots", on: $0)
    }

    #expect(learners.map(\.today) == [try CivilDate("2026-03-11"), nil])
    #expect(renewed.snapshots == 1 && renewed.quarantined == 1)
  }

  @Test func `has a widget that turns to the day that begins`() throws {
    let before = try stage.now - .seconds(6 * 3600)
    let snapshots = WidgetSnapshots(
      asOf: before, zones: try ZoneTable(of: zones, at: before), rules: WidgetRules())
    _ = try stage.connection.transaction {
      try snapshots.refresh([1], by: "refresh_widget_snapshots", on: $0)
    }

    let begun = try DaysBegun(from: before, to: stage.now, in: zones)
    let learners = try stage.connection.run(begun.learners).map { try $0[0, as: Int.self] }

    #expect(learners == [1])
  }
}
