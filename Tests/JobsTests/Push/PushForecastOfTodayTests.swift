import Config
import JobKit
import LocalTime
import Postgres
import Push
import TestKit
import Testing

@testable import Jobs

/// A day from before it begins anywhere until it is over everywhere, with runs and without.
@Suite("A forecast of a day that has begun")
struct PushForecastOfTodayTests {
  private let world: PushStage
  private let day = "2026-03-01"

  /// Two learners in each of some zones, and others whom a rule keeps from getting one.
  init() throws {
    world = try PushStage(at: "2026-02-28T09:00:00Z")
    let zones = ["Pacific/Kiritimati", "Asia/Seoul", "UTC", "America/New_York", "Pacific/Honolulu"]
    for (number, zone) in zones.enumerated() {
      try world.add(10 * number + 10, zone: zone)
      try world.add(10 * number + 11, zone: zone)
      try world.study(10 * number + 11, 1, end: "2026-02-26T08:05", zone: zone)
    }
    for (user, change) in [(61, "push_opt_in = false"), (62, "status = 'locked'")] {
      try world.add(user)
      try world.stage.connection.run(
        "UPDATE learning.users SET \(verbatim: change) WHERE user_id = \(user)")
    }
    try world.add(63)
    try world.stage.connection.run("DELETE FROM learning.devices WHERE user_id = 63")
    try world.add(64, zone: "Mars/Olympus")
    // Of whose day one minute alone is not quiet, in which nothing hurries.
    try world.add(65)
    try world.stage.connection.run(
      "UPDATE learning.users SET quiet_from = 0, quiet_to = 1439 WHERE user_id = 65")
  }

  /// How many learners a forecast tells what of.
  private struct Sums: Equatable {
    let states: [String: Int]
    let toCome: Int
    let tooLate: Int
    let reasons: [String: Int]

    var soFar: Int { states.values.reduce(0, +) }
    var all: Int { soFar + toCome + tooLate + reasons.values.reduce(0, +) }
  }

  private func sums() throws -> Sums {
    let stage = world.stage
    let forecast = try world.job.forecast(
      on: CivilDate(day), at: stage.now, in: stage.zones, stage.connection)
    var counts: [String: [String: Int]] = [:]
    for chart in forecast.charts where !chart.isOfTime {
      counts[chart.title] = Dictionary(
        uniqueKeysWithValues: chart.bars.map { ($0.label, $0.count) })
    }
    let hours = try #require(forecast.charts.first { $0.title == "hour of the learner" }).bars
    let late = counts["too late because"]?.values.reduce(0, +) ?? 0
    #expect(hours.compactMap(\.share?.tooLate).reduce(0, +) == late)
    return Sums(
      states: counts["sent so far"] ?? [:],
      toCome: hours.compactMap(\.share?.toCome).reduce(0, +), tooLate: late,
      reasons: counts["no push because"] ?? [:])
  }

  /// What the table says of the day: states, and the reasons of what was suppressed.
  private func table() throws -> (states: [String: Int], reasons: [String: Int]) {
    let rows = try world.stage.connection.run(
      """
      SELECT state, CASE state WHEN 'suppressed' THEN reason END, count(*)
      FROM learning.notifications WHERE local_day = \(try CivilDate(day)) GROUP BY 1, 2
      """)
    var found: (states: [String: Int], reasons: [String: Int]) = ([:], [:])
    for row in rows {
      if let reason: String = try row[1] { found.reasons[reason] = try row[2] }
      found.states[try row[0], default: 0] += try row[2]
    }
    return found
  }

  /// Turns the clock on, and on the way sends each push in its minute.
  private func pass(to instant: Instant) throws {
    let dues = try world.stage.connection.run(
      """
      SELECT DISTINCT due_at FROM learning.notifications
      WHERE state = 'planned' AND due_at <= \(instant) ORDER BY due_at
      """)
    for row in dues {
      world.stage.clock.turn(to: max(try row[0], try world.stage.now))
      let frozen = ContinuousClock.now
      _ = try world.stage.run(
        DeliverPushes(through: Postbox(), saying: .builtIn, stopwatch: { frozen }))
    }
    world.stage.clock.turn(to: instant)
  }

  @Test(arguments: [nil, "2026-03-01T09:30:00Z"..<"2026-03-01T11:30:00Z"])
  func `at each hour its sums are what the table says, before and after the plan has run`(
    outage: Range<String>?
  ) throws {
    let start = try world.stage.now
    let outage = try outage.map { try Instant($0.lowerBound)..<Instant($0.upperBound) }
    var told: [(at: Instant, sums: Sums)] = []
    for quarter in 0..<(4 * 52) {
      let now = start.advanced(bySeconds: 900 * quarter)
      let isDown = outage?.contains(now) ?? false
      if isDown { world.stage.clock.turn(to: now) } else { try pass(to: now) }
      let before = quarter % 4 == 0 ? try sums() : nil
      if !isDown { _ = try world.run() }
      guard let before else { continue }
      #expect(try sums() == before, "the plan has run at \(now)")
      let table = try table()
      #expect(before.states == table.states.filter { $0.key == "sent" }, "\(now)")
      #expect(before.all == 15)
      told.append((now, before))
    }
    let (end, reasons) = try table()
    let last = try #require(told.last?.sums)
    #expect(last.soFar == end["sent"] && last.tooLate == end["expired"] ?? 0 && last.toCome == 0)
    #expect(last.reasons == reasons.merging(["unknown_zone": 1]) { $1 })
    let settled = (outage?.upperBound).map { $0.advanced(bySeconds: 1) } ?? start
    for (at, sums) in told where at >= settled {
      #expect(sums.soFar + sums.toCome == last.soFar && sums.tooLate == last.tooLate, "\(at)")
      #expect(sums.reasons == last.reasons, "\(at)")
    }
    #expect((last.tooLate > 0) == (outage != nil))
  }

  @Test func `a day that is over tells who would have got a push while no run looked`() throws {
    world.stage.clock.turn(to: try Instant("2026-03-03T00:00:00Z"))

    let forecast = try world.job.forecast(
      on: CivilDate(day), at: world.stage.now, in: world.stage.zones, world.stage.connection)

    #expect(
      forecast.heading
        == "schedule_daily_push on 2026-03-01, the learner's own, which is over: 0 of 15 learners got"
        + " a push, 10 would have got one and it was too late, 5 got none by a rule")
    #expect(forecast.facts.compact.contains(#""too_late":{"not_decided":10}"#))
    #expect(forecast.charts[3].bars.allSatisfy { $0.isOver })
  }

  @Test func `in the middle of a day it tells what is past from what is to come`() throws {
    _ = try world.run()
    world.stage.clock.turn(to: try Instant("2026-03-01T11:30:00Z"))

    let forecast = try world.job.forecast(
      on: nil, at: world.stage.now, in: world.stage.zones, world.stage.connection)

    #expect(
      forecast.heading == """
        schedule_daily_push on 2026-03-01, the learner's own, as of 2026-03-01 11:30 UTC, of 15 learners:
        0 got a push so far, 5 are still to get one, for 8 it is too late, 2 get none by a rule
        """)
    let hours = forecast.charts[2].bars
    #expect(hours.first { $0.label == "2026-03-01 10:00" }?.isOver == true)
    #expect(hours.first { $0.label == "2026-03-01 11:00" }?.isOver == false)
  }
}
