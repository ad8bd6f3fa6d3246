import Config
import JobKit
import LocalTime
import Settings
import Testing

/// Calendars of days on which jobs do not run, as the settings write them.
@Suite("Calendars in the settings")
struct CalendarSettingsTests {
  private func calendar(_ days: String) throws -> Calendar {
    let loaded = try SampleSettings.load("[calendars.holidays]\ndays = [\(days)]")
    return try #require(loaded.settings.calendars.first)
  }

  @Test(arguments: [
    ("\"2026-12-25\"", ["2026-12-25"], ["2026-12-24", "2026-12-26", "2027-12-25"]),
    ("2026-12-25", ["2026-12-25"], ["2026-12-24", "2026-12-26"]),
    ("\"12-25\"", ["2026-12-25", "1999-12-25"], ["2026-12-24", "2026-11-25"]),
    ("\"02-29\"", ["2028-02-29"], ["2027-02-28", "2027-03-01"]),
    (
      "\"2026-12-24..2027-01-02\"", ["2026-12-24", "2026-12-31", "2027-01-02"],
      ["2026-12-23", "2027-01-03", "2025-12-25"]
    ),
    ("\"2026-05-01..2026-05-01\"", ["2026-05-01"], ["2026-04-30", "2026-05-02"]),
    ("\"2026-05-01\", \"01-01\"", ["2026-05-01", "2030-01-01"], ["2026-05-02"]),
  ])
  func `a calendar holds its days and no others`(
    days: String, inside: [String], outside: [String]
  ) throws {
    let calendar = try calendar(days)

    #expect(try inside.allSatisfy { calendar.contains(try CivilDate($0)) })
    #expect(try !outside.contains { calendar.contains(try CivilDate($0)) })
  }

  @Test func `a job is kept off the days of every calendar that it names, and no other job is`()
    throws
  {
    let settings = try SampleSettings.load(
      """
      [calendars.holidays]
      days = ["12-25"]
      [calendars.works]
      days = ["2026-05-04"]
      [jobs.settle_rewards]
      except = ["works", "holidays"]
      """
    ).settings

    let reasons = try settings.jobs.prefix(2).map { job in
      try ["2026-05-04T00:00:00Z", "2026-12-25T12:00:00Z"].map {
        job.schedule.exclusions.reason(at: try Instant($0))
      }
    }

    #expect(
      reasons == [
        [nil, nil],
        [
          "2026-05-04 is in the calendar 'works'",
          "2026-12-25 is in the calendar 'holidays'",
        ],
      ])
  }

  @Test func `calendars are in force by their names, and a change of one is said`() throws {
    let before = try SampleSettings.load("").settings
    let after = try SampleSettings.load(
      """
      [calendars.holidays]
      days = ["12-25", 2026-05-01, "2026-12-24..2027-01-02"]
      [jobs.settle_rewards]
      except = ["holidays"]
      """
    ).settings

    #expect(
      after.changes(since: before).map(\.description) == [
        "calendars.holidays.days: absent -> 12-25, 2026-05-01, 2026-12-24..2027-01-02",
        "jobs.settle_rewards.except:  -> holidays",
      ])
  }

  @Test(arguments: [
    (
      "\"xmas\"",
      "cannot read 'xmas' as days: write \"2026-12-25\", \"12-25\" for every year, or"
        + " \"2026-12-24..2027-01-02\""
    ),
    (
      "\"25.12.\"",
      "cannot read '25.12.' as days: write \"2026-12-25\", \"12-25\" for every year, or"
        + " \"2026-12-24..2027-01-02\""
    ),
    (
      "\"12-24..12-26\"",
      "cannot read '12-24..12-26' as days: write \"2026-12-25\", \"12-25\" for every year, or"
        + " \"2026-12-24..2027-01-02\""
    ),
    (
      "\"2026-12-24..\"",
      "cannot read '2026-12-24..' as days: write \"2026-12-25\", \"12-25\" for every year, or"
        + " \"2026-12-24..2027-01-02\""
    ),
    (
      "2026-12-25T10:00:00Z",
      "cannot read '2026-12-25T10:00:00Z' as days: write \"2026-12-25\", \"12-25\" for every year,"
        + " or \"2026-12-24..2027-01-02\""
    ),
    ("\"2026-02-30\"", "there is no day '2026-02-30': its month ends with 28"),
    ("\"02-30\"", "there is no day '02-30': its month ends with 29"),
    ("\"13-01\"", "there is no month of '13-01': write 01 to 12"),
    (
      "\"2026-02-29..2026-03-01\"",
      "there is no day '2026-02-29' in '2026-02-29..2026-03-01': its month ends with 28"
    ),
    (
      "\"2027-01-02..2026-12-24\"",
      "'2027-01-02..2026-12-24' ends before it begins: write \"2026-12-24..2027-01-02\""
    ),
    (
      "4",
      "'calendars.holidays.days' holds a whole number: write a day in quotes, such as"
        + " \"2026-12-25\" or \"12-25\""
    ),
  ])
  func `a day that is none is refused where it stands`(day: String, said: String) throws {
    let problems = try SampleSettings.problems(
      in: "[calendars.holidays]\ndays = [\"01-01\", \(day)]")

    #expect(problems == ["2:18: \(said)"])
  }

  @Test(arguments: [
    (
      "[calendars.holidays]\ndays = []",
      "2:8: the calendar 'holidays' has no days: write some, such as"
        + " days = [\"2026-12-25\", \"01-01\"], or remove it"
    ),
    (
      "[calendars.holidays]",
      "1:12: the calendar 'holidays' has no days: write some, such as"
        + " days = [\"2026-12-25\", \"01-01\"], or remove it"
    ),
    (
      "[calendars.holidays]\ndays = \"12-25\"",
      "2:8: 'calendars.holidays.days' is a string: write a list of days, such as"
        + " [\"2026-12-25\", \"01-01\"]"
    ),
    (
      "[calendars]\nholidays = [\"12-25\"]",
      "2:1: 'calendars.holidays' is a list: write a table: [calendars.holidays], say, on a line of"
        + " its own, and its days below"
    ),
    (
      "[calendars.holidays]\ndays = [\"12-25\"]\nzone = \"UTC\"",
      "3:1: unknown setting 'calendars.holidays.zone': write calendars.holidays.days"
    ),
    (
      "[jobs.settle_rewards]\nexcept = [\"holidays\"]",
      "2:11: unknown calendar 'holidays': write a table [calendars.NAME] with its days first"
    ),
    (
      "[calendars.holidays]\ndays = [\"12-25\"]\n[jobs.settle_rewards]\nexcept = [\"holydays\"]",
      "4:11: unknown calendar 'holydays': did you mean 'holidays'?"
    ),
    (
      "[calendars.holidays]\ndays = [\"12-25\"]\n[jobs.settle_rewards]\nexcept = [\"x\"]",
      "4:11: unknown calendar 'x': write holidays"
    ),
    (
      "[jobs.settle_rewards]\nexcept = \"holidays\"",
      "2:10: 'jobs.settle_rewards.except' is a string: write a list of calendars, such as"
        + " [\"holidays\"]"
    ),
    (
      "[jobs.settle_rewards]\nexcept = [12]",
      "2:11: 'jobs.settle_rewards.except' holds a whole number: write the name of a calendar,"
        + " such as \"holidays\""
    ),
  ])
  func `a calendar that cannot be used is refused`(text: String, said: String) throws {
    #expect(try SampleSettings.problems(in: text) == [said])
  }

  @Test func `a calendar that no job names is remarked on`() throws {
    let loaded = try SampleSettings.load("[calendars.holidays]\ndays = [\"12-25\"]")

    #expect(
      loaded.warnings.map(\.description) == [
        "worker.toml:1:12: no job is kept off the days of the calendar 'holidays': a job that is to"
          + " be names it in 'except'"
      ])
  }
}
