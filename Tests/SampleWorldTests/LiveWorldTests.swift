import Jobs
import LocalTime
import Postgres
import TestKit
import Testing

@testable import SampleWorld

@Suite("A world that goes on")
struct LiveWorldTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-01T00:00:00Z", with: .learning)
    let world = try World(
      learners: 300, days: 10, seed: 7, now: stage.now, daysToCome: 3, zones: stage.zones)
    _ = try Filling(with: world) { _, _, _ in }.run(on: stage.connection)
  }

  private func play(by step: Duration, times: Int) throws {
    var world = try LiveWorld.open(on: stage.connection)
    for _ in 0..<times {
      try stage.pass(step)
      try world.goOn(until: stage.now, on: stage.connection)
    }
  }

  private func content(of table: AppTable) throws -> String {
    let columns = table.columns.map { "\(identifier: $0)" as Statement }.joined(by: ", ")
    return try stage.text(
      """
      SELECT coalesce(md5(string_agg(row::text, '|' ORDER BY row::text)), 'nothing')
      FROM (SELECT \(columns) FROM learning.\(identifier: table.rawValue)) AS row
      """)
  }

  @Test func `in many steps it comes to the same rows as in one`() throws {
    let other = try LiveWorldTests()

    try play(by: .seconds(3600), times: 72)
    try other.play(by: .seconds(72 * 3600), times: 1)

    for table in AppTable.allCases {
      #expect(try content(of: table) == other.content(of: table), "\(table)")
    }
  }

  @Test(arguments: AppTable.allCases)
  func `everything that is laid down reaches the app's tables, and nothing before its moment`(
    table: AppTable
  ) throws {
    let (name, arrival): (Statement, Statement) = (
      "\(identifier: table.rawValue)", "\(identifier: table.arrival)"
    )
    let before = try stage.count("SELECT count(*) FROM learning.\(name)")
    let coming = try stage.count(
      "SELECT count(*) FROM demo.\(name) WHERE \(arrival) > '2026-03-01T00:00:00Z'")

    try play(by: .seconds(36 * 3600), times: 1)
    let early = try stage.count(
      "SELECT count(*) FROM learning.\(name) WHERE \(arrival) > \(stage.now)")
    try play(by: .seconds(36 * 3600), times: 1)

    let after = try stage.count("SELECT count(*) FROM learning.\(name)")
    #expect(coming > 0 && early == 0)
    // A learner who changes has a row already.
    #expect(table == .users ? after > before : after == before + coming)
  }

  @Test func `a learner is as the last change has left her`() throws {
    try play(by: .seconds(72 * 3600), times: 1)

    let wrong = try stage.count(
      """
      SELECT count(*) FROM learning.users u JOIN LATERAL (
        SELECT * FROM demo.users d WHERE d.user_id = u.user_id ORDER BY changed_at DESC LIMIT 1
      ) AS last ON true
      WHERE (u.zone, u.push_opt_in, u.plan, u.status, u.changed_at)
        IS DISTINCT FROM (last.zone, last.push_opt_in, last.plan, last.status, last.changed_at)
      """)

    #expect(wrong == 0)
  }

  @Test func `of a learner who has flown the row says where from and when`() throws {
    try play(by: .seconds(3600), times: 72)

    let moved = try stage.count("SELECT count(*) FROM learning.users WHERE moved_at IS NOT NULL")
    let wrong = try stage.count(
      """
      SELECT count(*) FROM learning.users u WHERE moved_at IS NOT NULL AND NOT EXISTS (
        SELECT FROM demo.users d
        WHERE d.user_id = u.user_id AND d.zone = u.zone_before AND d.changed_at < u.moved_at)
      """)

    #expect(moved > 0 && wrong == 0)
  }

  @Test func `a world that was left goes on where it was`() throws {
    try play(by: .seconds(3600), times: 5)
    try play(by: .seconds(3600), times: 5)

    let played = try stage.text("SELECT played_until::text FROM demo.world")
    #expect(played.hasPrefix("2026-03-01 10:00:00"))
  }

  @Test func `about a quarter of the pushes is tapped, each once and after it was sent`() throws {
    try stage.connection.run(
      """
      INSERT INTO learning.notifications
        (user_id, local_day, state, kind, zone, planned_at, sent_at)
      SELECT user_id, '2026-03-01', 'sent', 'reminder', zone, \(stage.now), \(stage.now)
      FROM learning.users
      """)

    try play(by: .seconds(300), times: 150)

    let sent = try stage.count("SELECT count(*) FROM learning.notifications")
    let tapped = try stage.count(
      """
      SELECT count(*) FROM learning.notification_events
      WHERE event = 'push_opened' AND at > '2026-03-01T00:00:00Z'
      """)
    #expect((sent / 6...sent / 3).contains(tapped))
  }

  @Test func `about half of the offered repairs is accepted, after a while`() throws {
    try stage.connection.run(
      """
      INSERT INTO learning.streaks (user_id, state, length, longest, changed_at)
      SELECT user_id, 'none', 0, 0, \(stage.now) FROM learning.users
      """)
    try stage.connection.run(
      """
      INSERT INTO learning.streak_repairs (user_id, day, state, offered_at)
      SELECT user_id, '2026-02-28', 'offered', \(stage.now) FROM learning.users
      """)

    try play(by: .seconds(3600), times: 40)

    let offered = try stage.count("SELECT count(*) FROM learning.streak_repairs")
    let accepted = try stage.count(
      """
      SELECT count(*) FROM learning.streak_repairs
      WHERE state = 'accepted' AND accepted_at > offered_at
      """)
    #expect((offered * 4 / 10...offered * 7 / 10).contains(accepted))
  }
}
