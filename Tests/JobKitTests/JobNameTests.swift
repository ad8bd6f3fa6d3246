import JobKit
import Testing

@Suite struct JobNameTests {
  @Test(arguments: [
    "schedule_daily_push", "schedule-daily-push", "scheduleDailyPush", "ScheduleDailyPush",
    "Schedule-Daily_Push",
  ])
  func `a job has one name however it is spelt`(written: String) throws {
    #expect(try JobName(written) == "schedule_daily_push")
  }

  @Test(arguments: [
    ("sweepURLJob", "sweep_url_job"), ("aURLJob", "a_url_job"), ("day7Retention", "day7_retention"),
    ("purge2", "purge2"), ("x", "x"), ("ABC", "abc"),
  ])
  func `a run of capitals is one word`(written: String, name: String) throws {
    #expect(try JobName(written).text == name)
  }

  @Test(arguments: ["", "2fast", "_push", "push_", "daily__push", "push now", "püsh", "a.b", "-"])
  func `what is no row of words is refused`(written: String) {
    let error = #expect(throws: JobNameError.self) { try JobName(written) }

    #expect(
      error?.description
        == "'\(written)' cannot name a job: write words of ASCII letters and digits that start"
        + " with a letter, such as schedule_daily_push")
  }

  @Test func `a name has at most 63 letters`() throws {
    let longest = String(repeating: "a", count: 63)

    #expect(try JobName(longest).text == longest)
    let error = #expect(throws: JobNameError.self) { try JobName(longest + "a") }
    #expect(
      error?.description
        == "'\(longest.prefix(60))…' is too long to name a job: write at most 63 letters")
  }
}
