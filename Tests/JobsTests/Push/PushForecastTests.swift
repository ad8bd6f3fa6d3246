import Config
import JobKit
import LocalTime
import Postgres
import TestKit
import Testing

@testable import Jobs

@Suite("A forecast of the pushes of a day")
struct PushForecastTests {
  private func world(chunk: Int = 2000) throws -> PushStage {
    let stage = try PushStage(at: "2026-03-01T09:00:00Z", chunk: chunk)
    for user in 1...4 {
      try stage.add(user, zone: user == 4 ? "America/New_York" : "Asia/Seoul")
    }
    try stage.study(1, 1, end: "2026-02-27T18:15")
    try stage.study(2, 1, end: "2026-02-28T18:15")
    try stage.add(5, zone: "Mars/Olympus")
    try stage.add(6)
    try stage.stage.connection.run(
      "UPDATE learning.users SET push_opt_in = false WHERE user_id = 6")
    return stage
  }

  private func forecast(_ stage: PushStage, on day: String? = nil) throws -> Forecast {
    try stage.job.forecast(
      on: day.map { try CivilDate($0) }, at: stage.stage.now, in: stage.stage.zones,
      stage.stage.connection)
  }

  @Test func `it counts every learner once, by hour, by text and by reason`() throws {
    let forecast = try forecast(world())

    let charts = Dictionary(uniqueKeysWithValues: forecast.charts.map { ($0.title, $0.bars) })
    #expect(
      forecast.heading
        == "schedule_daily_push on 2026-03-01, the learner's own: 4 of 6 learners would get a push")
    #expect(
      charts["hour of the learner"]?.filter { $0.count > 0 }
        == [.init("19:00", .init(toCome: 4))])
    #expect(charts["hour of the learner"]?.count == 24)
    #expect(
      charts["hour in UTC"]?.filter { $0.count > 0 }
        == [
          .init("2026-03-01 10:00", .init(toCome: 3)), .init("2026-03-02 00:00", .init(toCome: 1)),
        ])
    #expect(charts["hour in UTC"]?.count == 15)
    #expect(
      charts["text"]
        == [.init("basic", .init(toCome: 3)), .init("encourage", .init(toCome: 1))])
    #expect(charts["no push because"] == [.init("opted_out", 1), .init("unknown_zone", 1)])
  }

  @Test func `a few learners at a time it comes to the same`() throws {
    #expect(try forecast(world(chunk: 2)) == forecast(world()))
  }

  @Test func `a later day is told by what is known now, one that is long over is refused`() throws {
    let world = try world()

    let later = try forecast(world, on: "2026-03-05")
    let error = #expect(throws: DayIsOver.self) { try forecast(world, on: "2026-02-21") }

    #expect(later.charts[4].bars.map(\.label) == ["basic", "encourage"])
    #expect(later.charts[4].bars.map(\.share?.toCome) == [2, 2])
    #expect(
      error?.description
        == "2026-02-21 is over: a forecast is of 2026-02-22 or a later day; 'worker why' tells what"
        + " became of the past")
  }

  @Test func `it changes nothing`() throws {
    let world = try world()

    _ = try forecast(world)

    #expect(try world.rows().isEmpty)
    #expect(try world.stage.count("SELECT count(*) FROM learning.push_agenda") == 0)
  }
}
