import JobKit
import Testing

@Suite struct SettingsRefusalTests {
  @Test(arguments: [
    (
      "workers = four",
      "1:11: 'four' is neither a number nor text: write text in quotes, as \"four\""
    ),
    ("x = 5m", "1:5: '5m' is neither a number nor text: write text in quotes, as \"5m\""),
    (
      "x = */5 * * * * # often",
      "1:5: '*/5 * * * *' is neither a number nor text: write text in quotes, as \"*/5 * * * *\""
    ),
    ("x = 4\u{1}", "1:5: the value of 'x' is neither a number nor text: write text in quotes"),
    ("x = yes", "1:5: 'yes' is no boolean: write true or false"),
    ("x = True", "1:5: 'True' is no boolean: write true or false"),
    ("workers =", "1:10: 'workers' has no value: write one after '='"),
    ("workers =   # none", "1:13: 'workers' has no value: write one after '='"),
    ("workers 4", "1:9: 'workers 4' is no setting: write name = value"),
    ("= 4", "1:1: '= 4' is no setting: write name = value"),
    (
      "\u{1B}[31m = 1",
      "1:1: '\\u{1b}[31m' cannot name a setting: write ASCII letters, digits, _ and -"
    ),
    ("x = \"abc", "1:5: '\"abc' has no end: close it with \""),
    ("x = 'abc\n", "1:5: ''abc' has no end: close it with '"),
    ("x = \"\"\"abc\ny", "2:2: the text ends inside a string: look for what is not closed"),
    ("x = [1,\n", "1:9: the text ends inside a list: look for what is not closed"),
    ("x = {a = 1", "1:11: the text ends inside a table in braces: look for what is not closed"),
    ("x = 04", "1:5: cannot read 'x = 04': leading zeroes are prohibited"),
    (
      "x = 99999999999999999999",
      "1:5: cannot read 'x = 99999999999999999999':"
        + " '99999999999999999999' is not representable in 64 bits"
    ),
    (#"x = "\q""#, #"1:7: cannot read 'x = "\q"': unknown escape sequence '\q'"#),
    ("[log", "1:5: '[log' is no table header: write [name] on a line of its own"),
    ("workers = 4\n[=]\n", "2:1: '[=]' is no table header: write [name] on a line of its own"),
    ("[é]", "1:1: '[é]' is no table header: write [name] on a line of its own"),
    ("é = 1", "1:1: 'é' cannot name a setting: write ASCII letters, digits, _ and -"),
    ("[log] level", "1:7: '[log] level' is no table header: write [name] on a line of its own"),
  ])
  func `what is no TOML is refused with what to write`(text: String, said: String) throws {
    let problems = try SampleSettings.problems(in: text)

    #expect(problems.first == said)
  }

  @Test(arguments: [
    ("workers = 4\nworkers = 5", "2:1: 'workers' is set twice: keep one"),
    ("[log]\n[time]\n[log]", "3:1: '[log]' is set twice: keep one"),
    ("[log]\nlevel = \"info\"\n  level = \"info\"", "3:3: 'level' is set twice: keep one"),
    ("log.level = \"info\"\n[log]", "2:1: '[log]' is set twice: keep one"),
    ("log = {level = \"info\"}\n[log.x]", "2:8: '[log.x]' is set twice: keep one"),
  ])
  func `what is set twice is refused`(text: String, said: String) throws {
    let problems = try SampleSettings.problems(in: text)

    #expect(problems.first == said)
  }

  @Test(arguments: [
    ("wrkers = 4", "1:1: unknown setting 'wrkers': did you mean 'workers'?"),
    ("[log]\nfromat = \"auto\"", "2:1: unknown setting 'log.fromat': did you mean 'log.format'?"),
    ("[log]\ncolour = true", "2:1: unknown setting 'log.colour': write log.format or log.level"),
    (
      "[nonsense]",
      "1:2: unknown setting 'nonsense': write workers, database, time, log, retention, http, notify, calendars or jobs"
    ),
    ("[databse]\nurl = 1", "1:2: unknown setting 'databse': did you mean 'database'?"),
    (
      "[jobs.settle_rewards]\nschedul = 1",
      "2:1: unknown setting 'jobs.settle_rewards.schedul':"
        + " did you mean 'jobs.settle_rewards.schedule'?"
    ),
    (
      "\"a\\u001b\" = 1",
      "1:1: unknown setting 'a\\u{1b}': write workers, database, time, log, retention, http, notify, calendars or jobs"
    ),
  ])
  func `an unknown setting is refused with the nearest`(text: String, said: String) throws {
    let problems = try SampleSettings.problems(in: text)

    #expect(problems == [said])
  }

  @Test(arguments: [
    (
      "workers = \"4\"", "1:11: 'workers' is a string: write a whole number from 1 to 64, such as 4"
    ),
    (
      "workers = 4.5",
      "1:11: 'workers' is a number with a fraction: write a whole number from 1 to 64, such as 4"
    ),
    ("workers = []", "1:11: 'workers' is a list: write a whole number from 1 to 64, such as 4"),
    (
      "workers = true", "1:11: 'workers' is a boolean: write a whole number from 1 to 64, such as 4"
    ),
    (
      "workers = 2026-01-01",
      "1:11: 'workers' is a date or time: write a whole number from 1 to 64, such as 4"
    ),
    ("[workers]", "1:1: 'workers' is a table: write a whole number from 1 to 64, such as 4"),
    (
      "log = 4",
      "1:7: 'log' is a whole number: write a table: [log] on a line of its own, and its settings below"
    ),
    (
      "[jobs]\nsettle_rewards = 4",
      "2:1: 'jobs.settle_rewards' is a whole number: write a table: [jobs.deliver_pushes], say,"
        + " on a line of its own, and its settings below"
    ),
    (
      "[log]\nlevel = 3",
      "2:9: 'log.level' is a whole number: write \"debug\", \"info\", \"warning\" or \"error\""
    ),
    (
      "[database]\nconnect_timeout = 5",
      "2:19: 'database.connect_timeout' is a whole number: write a duration from 2s to 10m,"
        + " such as \"5s\""
    ),
    (
      "[database]\nurl = 5",
      "2:7: 'database.url' is a whole number: write a URL such as \"postgresql:///worker\","
        + " or words such as \"host=db dbname=worker\""
    ),
    (
      "[time]\nzone = 1",
      "2:8: 'time.zone' is a whole number: write the name of a zone, such as \"Europe/Zurich\""
    ),
    (
      "[jobs.settle_rewards]\nenabled = \"yes\"",
      "2:11: 'jobs.settle_rewards.enabled' is a string: write true or false"
    ),
    (
      "[jobs.settle_rewards]\nschedule = 5",
      "2:12: 'jobs.settle_rewards.schedule' is a whole number: write a cron expression,"
        + " such as \"*/5 * * * *\""
    ),
  ])
  func `a value of another kind is refused with what to write`(text: String, said: String) throws {
    let problems = try SampleSettings.problems(in: text)

    #expect(problems == [said])
  }
}
