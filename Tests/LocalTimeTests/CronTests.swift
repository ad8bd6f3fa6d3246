import LocalTime
import Testing

/// How cron expressions are read.
struct CronTests {
  @Test(arguments: [
    ("30 2 * * *", "0 30 2 * * *"), ("0 0 * * 7", "0 0 * * 0"), ("0 0 * * sun", "0 0 * * 0"),
    ("0 0 1 jan *", "0 0 1 1 *"), ("*/15 * * * *", "0,15,30,45 * * * *"),
    ("0 0 1 MAY *", "0 0 1 5 *"),
    ("0 0 * * FRI-SUN", "0 0 * * 5,6,0"), ("0 0 * * 5-7", "0 0 * * 0,5,6"),
    ("5-5 3 * * *", "5 3 * * *"), ("0-20/10 3 * * *", "0,10,20 3 * * *"),
    ("0 0 * * MON#1", "0 0 * * 1#1"), ("0 0 * * FRIL", "0 0 * * 5L"),
    ("0 0 * * 7L", "0 0 * * SUNL"), ("0 0 l * *", "0 0 L * *"), ("0 */1 * * *", "0 * * * *"),
    ("@hourly", "0 * * * *"), ("@daily", "0 0 * * *"), ("@midnight", "0 0 * * *"),
    ("@weekly", "0 0 * * 0"), ("@monthly", "0 0 1 * *"), ("@Yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"), ("  30\t2 *  * * ", "30 2 * * *"),
    ("0 0 * * */2", "0 0 * * 0,2,4,6"), ("0 0 */10 * *", "0 0 1,11,21,31 * *"),
    ("0 0 1-7 * MON", "0 0 1,2,3,4,5,6,7 * 1"), ("0 0 15,L * *", "0 0 L,15 * *"),
  ])
  func `two ways to write one schedule fire alike`(one: String, other: String) throws {
    let start = try instant("2026-01-01T00:00:00Z")

    let first = CronSchedule(try Cron(one), in: .utc)
    let second = CronSchedule(try Cron(other), in: .utc)

    let end = try instant("2028-03-01T00:00:00Z")
    let ticks = first.ticks(after: start, through: end, limit: 100)
    #expect(ticks == second.ticks(after: start, through: end, limit: 100))
    #expect(!ticks.isEmpty)
    #expect(first.previous(before: end) == second.previous(before: end))
  }

  @Test(arguments: [
    ("0 12 13 * FRI", ["01-02", "01-09", "01-13", "01-16", "01-23", "01-30"]),
    ("0 12 * * MON#1", ["01-05", "02-02", "03-02", "04-06", "05-04", "06-01"]),
    ("0 12 * * SUN#5", ["03-29", "05-31", "08-30", "11-29"]),
    ("0 12 L * *", ["01-31", "02-28", "03-31", "04-30", "05-31", "06-30"]),
    ("0 12 * * 5L", ["01-30", "02-27", "03-27", "04-24", "05-29", "06-26"]),
    ("0 12 L * MON#1", ["01-05", "01-31", "02-02", "02-28", "03-02", "03-31"]),
    ("0 12 31 * *", ["01-31", "03-31", "05-31", "07-31", "08-31", "10-31"]),
  ])
  func `the days of 2026 that an expression names`(text: String, days: [String]) throws {
    let schedule = CronSchedule(try Cron(text), in: .utc)
    let start = try instant("2026-01-01T00:00:00Z")

    let ticks = schedule.ticks(
      after: start, through: start.advanced(bySeconds: 365 * 86_400), limit: 6)

    #expect(ticks.map { "\($0.local)" } == days.map { "2026-\($0)T12:00:00" })
  }

  @Test func `six fields begin with seconds`() throws {
    let schedule = CronSchedule(try Cron("*/20 59 23 * * *"), in: .utc)

    let ticks = schedule.ticks(
      after: try instant("2026-01-01T00:00:00Z"), through: try instant("2026-01-02T00:00:00Z"),
      limit: 9)

    #expect(ticks.map(\.local.timeOfDay) == ["23:59", "23:59:20", "23:59:40"])
  }

  @Test(arguments: ["* * * * *", "0 0-23 * * *", "0 */1 * * *", "@hourly", "0 0-11,12-23 * * *"])
  func `all 24 hours make a rhythm, however they are written`(text: String) throws {
    #expect(try Cron(text).coversAllHours)
  }

  @Test(arguments: ["0 0-22 * * *", "0 */2 * * *", "@daily"])
  func `fewer hours make times on the wall`(text: String) throws {
    #expect(try !Cron(text).coversAllHours)
  }

  @Test func `an expression is kept as it was written`() throws {
    #expect(try Cron(" 30  2 * * mon-fri ").description == "30 2 * * mon-fri")
    #expect(try Cron("@daily").text == "@daily")
  }

  @Test(arguments: [
    ("30 2 * * *", []),
    (
      "*/7 * * * *",
      ["'*/7' in the minute field begins again at 0 after 56, 4 later instead of 7"]
    ),
    (
      "0 */5 * * *", ["'*/5' in the hour field begins again at 0 after 20, 4 later instead of 5"]
    ),
    ("*/15 */6 * * *", []),
    ("0 9-17/10 * * *", ["'9-17/10' in the hour field is only ever 9"]),
    ("0 0 29 2 *", ["29 February comes in leap years only"]),
    ("0 0 30 * *", ["day 30 does not come in FEB"]),
    ("0 0 31 4-6 *", ["day 31 does not come in APR, JUN"]),
    ("0 0 13 * 5", ["day and weekday are both given: a day that matches either counts"]),
    (
      "0 0 30 2 1",
      [
        "day and weekday are both given: a day that matches either counts",
        "day 30 does not come in FEB",
      ]
    ),
    ("0 0 * * SUN#5", ["a fifth weekday does not come in every month"]),
    ("@daily", []),
  ])
  func `what is allowed and may surprise is remarked`(text: String, remarks: [String]) throws {
    #expect(try Cron(text).remarks == remarks)
  }
}
