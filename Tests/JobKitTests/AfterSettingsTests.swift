import JobKit
import Settings
import Testing

/// Which jobs come after which others, as the settings write it.
@Suite("Chains of jobs in the settings")
struct AfterSettingsTests {
  private static let written = """
    [jobs.settle_rewards]
    after = ["schedule-daily-push"]
    after_limit = "90m"
    after_failed = "wait"
    after_missing = "run"
    """

  private func after(_ text: String) throws -> After {
    try #require(
      try SampleSettings.load(text).settings.jobs.first { $0.name == "settle_rewards" }
    ).after
  }

  @Test func `a job comes after those that it names, in any spelling, and others after none`()
    throws
  {
    let settings = try SampleSettings.load(Self.written).settings

    #expect(
      try after(Self.written)
        == After(["schedule_daily_push"], limit: .seconds(5400), failed: .wait, missing: .run))
    #expect(settings.jobs.first?.after == After())
    #expect(After() == After([], limit: .seconds(21_600), failed: .skip, missing: .skip))
  }

  @Test func `what is set is in force by its name, and a change of it is said`() throws {
    let before = try SampleSettings.load("").settings
    let after = try SampleSettings.load(Self.written).settings

    #expect(
      after.changes(since: before).map(\.description) == [
        "jobs.settle_rewards.after:  -> schedule_daily_push",
        "jobs.settle_rewards.after_limit: 6h -> 1h30m",
        "jobs.settle_rewards.after_failed: skip -> wait",
        "jobs.settle_rewards.after_missing: skip -> run",
      ])
  }

  @Test(arguments: [
    (
      "after = [\"schedule_daily_puhs\"]",
      "2:10: unknown job 'schedule_daily_puhs': did you mean 'schedule_daily_push'?"
    ),
    (
      "after = [\"nobody\"]",
      "2:10: unknown job 'nobody': write schedule_daily_push, settle_rewards or refresh_leaderboard"
    ),
    (
      "after = \"schedule_daily_push\"",
      "2:9: 'jobs.settle_rewards.after' is a string: write a list of jobs, such as [\"load_orders\"]"
    ),
    (
      "after = [7]",
      "2:10: 'jobs.settle_rewards.after' holds a whole number: write the name of a job, such as"
        + " \"load_orders\""
    ),
    (
      "after = [\"a b\"]",
      "2:10: 'a b' cannot name a job: write words of ASCII letters and digits that start with a letter,"
        + " such as schedule_daily_push"
    ),
    (
      "after = [\"schedule_daily_push\", \"schedule-daily-push\"]",
      "2:33: 'jobs.settle_rewards.after' names 'schedule_daily_push' twice: keep one"
    ),
    (
      "after = [\"settle_rewards\"]",
      "2:10: 'jobs.settle_rewards.after' closes a circle in which each waits for the next:"
        + " settle_rewards -> settle_rewards; take one out"
    ),
    (
      "after = [\"refresh_leaderboard\"]",
      "2:10: 'jobs.settle_rewards.after' names 'refresh_leaderboard', which is not enabled, so that"
        + " 'settle_rewards' would never run: enable it, take it out, or write after_missing = \"run\""
    ),
    (
      "after_failed = \"retry\"",
      "2:16: 'jobs.settle_rewards.after_failed' is 'retry': write \"skip\", \"wait\" or \"run\""
    ),
    (
      "after_limit = \"31d\"",
      "2:15: 'jobs.settle_rewards.after_limit' is '31d': write a duration from 1s to 30d, such as"
        + " \"6h\""
    ),
  ])
  func `what cannot be is refused where it stands`(line: String, said: String) throws {
    #expect(try SampleSettings.problems(in: "[jobs.settle_rewards]\n\(line)") == [said])
  }

  @Test func `a circle is refused once, and printed`() throws {
    let problems = try SampleSettings.problems(
      in: """
        [jobs.schedule_daily_push]
        after = ["settle_rewards"]
        [jobs.settle_rewards]
        after = ["refresh_leaderboard"]
        [jobs.refresh_leaderboard]
        enabled = true
        after = ["schedule_daily_push"]
        """)

    #expect(
      problems == [
        "7:10: 'jobs.refresh_leaderboard.after' closes a circle in which each waits for the next:"
          + " schedule_daily_push -> settle_rewards -> refresh_leaderboard -> schedule_daily_push;"
          + " take one out"
      ])
  }

  @Test func `two ways to one job are no circle`() throws {
    let problems = try SampleSettings.problems(
      in: """
        [jobs.schedule_daily_push]
        after = ["settle_rewards", "refresh_leaderboard"]
        [jobs.settle_rewards]
        after = ["refresh_leaderboard"]
        [jobs.refresh_leaderboard]
        enabled = true
        """)

    #expect(problems == [])
  }

  @Test(arguments: [
    "[jobs.settle_rewards]\nafter = [\"refresh_leaderboard\"]\nafter_missing = \"run\"",
    "[jobs.settle_rewards]\nafter = [\"refresh_leaderboard\"]\nenabled = false",
  ])
  func `a disabled job may be named where that keeps nothing from running`(text: String) throws {
    #expect(try SampleSettings.problems(in: text) == [])
  }
}
