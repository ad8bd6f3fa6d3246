import Config
import JobKit
import LocalTime
import Settings
import Testing

@Suite struct SettingsLoadTests {
  @Test func `an empty file means every default`() throws {
    let settings = try SampleSettings.load("").settings

    #expect(settings.workers == 4)
    #expect(settings.database == DatabaseSettings())
    #expect(settings.database.url == "postgresql:///worker")
    #expect(settings.time.zone == "UTC")
    #expect(settings.log == LogSettings())
    #expect(
      settings.jobs.map(\.name) == ["schedule_daily_push", "settle_rewards", "refresh_leaderboard"])
    #expect(settings.jobs.map(\.isEnabled) == [true, true, false])
    #expect(settings.jobs.map(\.schedule.description) == ["*/5 * * * *", "every 1m", "0 4 * * *"])
    #expect(settings.jobs.map(\.schedule.zone.name) == ["UTC", "UTC", "Europe/Zurich"])
  }

  @Test func `what the file sets wins over the default`() throws {
    let settings = try SampleSettings.load(
      """
      workers = 8
      database.url = "host=db"
      [time]
      zone = "Asia/Seoul"
      [log]
      format = "json"
      level = "warning"
      [jobs.settleRewards]
      enabled = false
      schedule = "30 2 * * *"
      zone = "America/New_York"
      dst = "every_occurrence"
      [jobs.refresh-leaderboard]
      every = "1h30m"
      """
    ).settings

    #expect(settings.workers == 8)
    #expect(settings.database.url == "host=db")
    #expect(settings.log.format == .json)
    #expect(settings.log.level == .warning)
    #expect(settings.jobs[0].schedule.zone.name == "Asia/Seoul")
    #expect(settings.jobs[1].isEnabled == false)
    let newYork = try SampleSettings.zones.get().zone(named: "America/New_York")
    #expect(
      settings.jobs[1].schedule
        == Schedule(CronSchedule(try Cron("30 2 * * *"), in: newYork, dst: .everyOccurrence)))
    #expect(settings.jobs[2].schedule.description == "every 1h30m")
  }

  @Test func `all problems are reported, down the file`() throws {
    let problems = try SampleSettings.problems(
      in: """
        wrkers = 2
        workers = four
        [jobs.settle_rewards]
        schedule = "*/0 * * * *"
        colour = 1
        [log]
        level = "loud"
        level = "info"
        [time]
        zone = "Nowhere"
        """)

    #expect(
      problems.compactMap { $0.split(separator: ":").first.map(String.init) }
        == ["1", "2", "4", "5", "7", "8", "10"])
  }

  @Test func `the environment wins over the file`() throws {
    let text = "[database]\nurl = \"host=file\"\n[log]\nformat = \"human\""
    let environment = ["WORKER_DATABASE_URL": "host=environment", "WORKER_LOG_FORMAT": "json"]

    let settings = try SampleSettings.load(text, environment: environment).settings

    #expect(settings.database.url == "host=environment")
    #expect(settings.log.format == .json)
  }

  @Test func `an empty variable counts as unset`() throws {
    let settings = try SampleSettings.load("", environment: ["WORKER_LOG_FORMAT": ""]).settings

    #expect(settings.log.format == .auto)
  }

  @Test func `a bad variable is refused by its name`() throws {
    #expect(
      try SampleSettings.problems(in: "", environment: ["WORKER_LOG_FORMAT": "xml"]) == [
        "environment: 'WORKER_LOG_FORMAT' is 'xml':"
          + " write \"auto\", \"human\", \"logfmt\" or \"json\""
      ])
  }

  @Test func `zones that cannot be had are one problem and not one for each job`() throws {
    let text = "[time]\nzoneinfo = \"/nowhere\"\n[jobs.settle_rewards]\nzone = \"Asia/Seoul\""
    let error = #expect(throws: SettingsError.self) {
      try Settings.load(text, file: "worker.toml", catalogue: SampleSettings.catalogue) {
        folder throws(ZoneError) in try ZoneDatabase(root: folder ?? "")
      }
    }

    #expect(
      error?.description
        == "worker.toml:2:12: no zone data: there is no folder '/nowhere':"
        + " install the package tzdata or name the folder that has it")
  }

  @Test func `a default that cannot be read is a problem of the program and said as one`() throws {
    let broken = JobDefinition(name: "x", purpose: "", schedule: .cron("75 * * * *"), zone: "Mars")
    let zones = try SampleSettings.zones.get()
    let error = #expect(throws: SettingsError.self) {
      try Settings.load("", file: "worker.toml", catalogue: Catalogue([broken])) {
        _ throws(ZoneError) in zones
      }
    }

    #expect(
      error?.problems.map(\.description) == [
        "worker.toml: unknown zone 'Mars': write a name such as 'America/New_York'",
        "worker.toml: '75' in the minute field is out of range: write 0 to 59",
      ])
  }

  @Test func `what is allowed and odd is a warning`() throws {
    let loaded = try SampleSettings.load(
      """
      [jobs.schedule_daily_push]
      schedule = "*/7 * * * *"
      [jobs.settle_rewards]
      dst = "once"
      """)

    #expect(
      loaded.warnings.map(\.description) == [
        "worker.toml:2:12: '*/7 * * * *': '*/7' in the minute field begins again at 0 after 56,"
          + " 4 later instead of 7",
        "worker.toml:4:7: 'jobs.settle_rewards.dst' changes nothing:"
          + " 'every' follows no clock on a wall",
      ])
  }

  @Test func `what changed between two settings is listed by name`() throws {
    let before = try SampleSettings.load("").settings
    let after = try SampleSettings.load(
      "workers = 8\n[jobs.settle_rewards]\nschedule = \"0 4 * * *\"\n"
    ).settings

    #expect(
      after.changes(since: before).map(\.description) == [
        "workers: 4 -> 8", "jobs.settle_rewards.schedule: absent -> 0 4 * * *",
        "jobs.settle_rewards.dst: absent -> once", "jobs.settle_rewards.every: 1m -> absent",
      ])
    #expect(after.changes(since: after).map(\.description) == [])
  }
}
