import JobKit
import Testing

@Suite struct SettingsValueTests {
  @Test(arguments: [
    ("workers = 0", "1:11: 'workers' is 0: write a whole number from 1 to 64, such as 4"),
    ("workers = 65", "1:11: 'workers' is 65: write a whole number from 1 to 64, such as 4"),
    (
      "[log]\nformat = \"xml\"",
      "2:10: 'log.format' is 'xml': write \"auto\", \"human\", \"logfmt\" or \"json\""
    ),
    (
      "[database]\nconnect_timeout = \"1s\"",
      "2:19: 'database.connect_timeout' is '1s': write a duration from 2s to 10m, such as \"5s\""
    ),
    (
      "[database]\nstatement_timeout = \"25h\"",
      "2:21: 'database.statement_timeout' is '25h': write a duration from 1s to 1d, such as \"30s\""
    ),
    (
      "[database]\nlock_timeout = \"5 sec\"",
      "2:16: 'database.lock_timeout' is '5 sec': write a duration from 1s to 1h, such as \"5s\""
    ),
    (
      "[database]\nkeepalive_count = 11",
      "2:19: 'database.keepalive_count' is 11: write a whole number from 1 to 10, such as 3"
    ),
    (
      "[database]\npassword_file = \"secret/password\"",
      "2:17: 'database.password_file' is 'secret/password': write an absolute path,"
        + " such as \"/etc/worker/password\", or \"\" for none"
    ),
    (
      "[database]\nreader_role = 7",
      "2:15: 'database.reader_role' is a whole number: write the name of a role of the database,"
        + " such as \"worker\", or \"\" for none"
    ),
    (
      "[time]\nzoneinfo = \"tz\"",
      "2:12: 'time.zoneinfo' is 'tz': write an absolute path, such as \"/usr/share/zoneinfo\","
        + " or \"\" for none"
    ),
    (
      "[database]\nurl = \"worker\"",
      "2:7: 'database.url' is no Postgres address: write a URL such as \"postgresql:///worker\","
        + " or words such as \"host=db dbname=worker\""
    ),
  ])
  func `a value that is not allowed is refused with what is`(text: String, said: String) throws {
    let problems = try SampleSettings.problems(in: text)

    #expect(problems == [said])
  }

  @Test(arguments: [
    (
      "[time]\nzone = \"Europe/Zurick\"",
      "2:8: unknown zone 'Europe/Zurick': did you mean 'Europe/Zurich'?"
    ),
    ("[time]\nzone = \"\"", "2:8: unknown zone '': write a name such as 'America/New_York'"),
    (
      "[jobs.settle_rewards]\nzone = \"Mars/Base\"",
      "2:8: unknown zone 'Mars/Base': write a name such as 'America/New_York'"
    ),
  ])
  func `an unknown zone is refused with the nearest`(text: String, said: String) throws {
    let problems = try SampleSettings.problems(in: text)

    #expect(problems == [said])
  }

  @Test(arguments: [
    ("*/0 * * * *", "the step of '*/0' in the minute field is no step: write 1 to 59"),
    ("75 * * * *", "'75' in the minute field is out of range: write 0 to 59"),
    ("0 0 30 2 *", "day '30' never comes in month '2': write a day from 1 to 29"),
    ("0 22-2 * * *", "'22-2' in the hour field runs backwards: write 22-23,0-2"),
    (
      "30 2",
      "'30 2' has 2 fields: write five, minute hour day month weekday, such as '30 2 * * *',"
        + " or six with seconds first"
    ),
    (
      "@every 15m",
      "'@every 15m' is no cron expression: write every = '15m' in place of a schedule, or a"
        + " rhythm of the clock, such as '*/15 * * * *'"
    ),
  ])
  func `an impossible schedule is refused with the fix`(cron: String, said: String) throws {
    let text = "[jobs.settle_rewards]\nschedule = \"\(cron)\""

    let problems = try SampleSettings.problems(in: text)

    #expect(problems == ["2:12: \(said)"])
  }

  @Test(arguments: [
    (
      "[jobs.schedule_dayly_push]",
      "1:7: unknown job 'schedule_dayly_push': did you mean 'schedule_daily_push'?"
    ),
    (
      "[jobs.scheduleDaylyPush]",
      "1:7: unknown job 'scheduleDaylyPush': did you mean 'schedule_daily_push'?"
    ),
    (
      "[jobs.nothing]",
      "1:7: unknown job 'nothing': write schedule_daily_push, settle_rewards or"
        + " refresh_leaderboard"
    ),
    (
      "[jobs.2fast]",
      "1:7: '2fast' cannot name a job: write words of ASCII letters and digits that start with"
        + " a letter, such as schedule_daily_push"
    ),
    (
      "[jobs.settleRewards]\nenabled = 1\n[jobs.settle-rewards]\nenabled = 2",
      "3:7: 'settle-rewards' is the job 'settle_rewards', which line 1 sets already: keep one"
    ),
    (
      "[jobs.settle_rewards]\nschedule = \"* * * * *\"\nevery = \"1m\"",
      "3:9: 'jobs.settle_rewards' has both 'schedule' and 'every': keep one"
    ),
    (
      "[jobs.settle_rewards]\nevery = \"0s\"",
      "2:9: 'jobs.settle_rewards.every' is '0s': write a duration from 1s to 366d, such as \"15m\""
    ),
    (
      "[jobs.settle_rewards]\nevery = \"367d\"",
      "2:9: 'jobs.settle_rewards.every' is '367d': write a duration from 1s to 366d, such as \"15m\""
    ),
    (
      "[jobs.settle_rewards]\ndst = \"twice\"",
      "2:7: 'jobs.settle_rewards.dst' is 'twice': write \"once\", \"every_occurrence\" or"
        + " \"skip_missing\""
    ),
  ])
  func `a job that cannot be set is refused`(text: String, said: String) throws {
    let problems = try SampleSettings.problems(in: text)

    #expect(problems.last == said)
  }
}
