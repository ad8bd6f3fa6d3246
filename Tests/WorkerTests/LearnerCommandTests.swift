import Config
import JobKit
import Jobs
import Postgres
import TestSupport
import Testing

@testable import WorkerProgram

@Suite("What a job decides of learners, on the command line")
struct LearnerCommandTests {
  private let database: TestDatabase
  private let folder: ScratchFolder

  init() throws {
    database = try TestDatabase.migrated()
    folder = try ScratchFolder()
    _ = try folder.write("[database]\nurl = \"\(database.url)\"\n", to: "worker.toml", mode: 0o644)
    try database.connect().run(
      """
      INSERT INTO learning.users (user_id, display_name, zone, push_opt_in, created_at, changed_at)
      VALUES (17, 'Ana', 'Asia/Seoul', true, '2026-01-01Z', '2026-01-01Z')
      """)
  }

  private func worker(_ words: String...) throws -> Program {
    try Program(
      words: words,
      variables: [
        "WORKER_CONFIG": folder.path + "/worker.toml", "TZDIR": TestEnvironment.zoneinfo,
      ], isRehearsal: true)
  }

  @Test func `why tells of one learner and day, for people and for machines`() throws {
    let told = try worker("why", "scheduleDailyPush", "--user", "17", "--day", "2126-03-01")
    let json = try worker("why", "schedule_daily_push", "--user", "17", "--json")

    #expect(told.output.hasPrefix("learner 17 on 2126-03-01, in the times of Asia/Seoul"))
    #expect(told.output.contains("\nquiet hours are 22:00 to 07:00\n"))
    let verdict =
      "\nnothing is decided yet; by what is known now:\nit would not go out: there is no device that it"
      + " could go to (no_device)\n"
    #expect(told.output.contains(verdict))
    #expect(json.output.hasPrefix("{\n  \"learner\": 17,"))
    #expect(told.exitCode == 0 && json.exitCode == 0)
  }

  @Test(arguments: [
    (["--user", "99"], "there is no learner 99 in learning.users", 65),
    (
      ["--user", "ana"],
      "'--user ana': write the number of a learner, such as 17;"
        + " 'worker why --help' shows what can be written", 64
    ),
    (
      ["--user", "17", "--day", "1 March"],
      "'--day 1 March': write a date such as 2026-03-08, or yesterday, today or tomorrow;"
        + " 'worker why --help' shows what can be written", 64
    ),
    (
      ["--day", "2026-03-01"],
      "'--user LEARNER' is missing; 'worker why --help' shows what can be written", 64
    ),
  ])
  func `why refuses what it cannot tell of`(words: [String], message: String, code: Int32) throws {
    let program = try Program(
      words: ["why", "schedule_daily_push"] + words,
      variables: [
        "WORKER_CONFIG": folder.path + "/worker.toml", "TZDIR": TestEnvironment.zoneinfo,
      ], isRehearsal: true)

    #expect(program.errors == "worker: \(message)\n")
    #expect(program.exitCode == code)
  }

  @Test func `a job that can neither explain nor foretell says which one can`() throws {
    let why = try worker("why", "refresh_widget_snapshots", "--user", "17")
    let forecast = try worker("forecast", "refresh_widget_snapshots")

    #expect(
      why.errors.hasPrefix(
        "worker: 'refresh_widget_snapshots' cannot say what it decided of a learner; these jobs can:"
          + " 'schedule_daily_push'"), "\(why.errors)")
    #expect(
      forecast.errors.hasPrefix(
        "worker: 'refresh_widget_snapshots' cannot make a forecast; this job can:"
          + " 'schedule_daily_push'"), "\(forecast.errors)")
    #expect(why.exitCode == 65 && forecast.exitCode == 65)
    #expect(
      UnableJob(job: "rehearse", cannot: "cannot make a forecast", able: []).description
        == "'rehearse' cannot make a forecast; no job can")
  }

  @Test func `a forecast has bold headings on a terminal, and no spelt out control characters`()
    throws
  {
    let asked = #"'"$PROGRAM" forecast schedule_daily_push --day tomorrow'"#
    let shown = try Program(
      shell: "script -qec \(asked) /dev/null </dev/null",
      variables: [
        "WORKER_CONFIG": folder.path + "/worker.toml", "TZDIR": TestEnvironment.zoneinfo,
        "PATH": "/usr/bin:/bin", "TERM": "xterm",
      ])

    #expect(shown.output.contains("\u{1B}[1m"), "\(shown.output)")
    #expect(!shown.output.contains(#"\u{1B}"#))
  }

  @Test func `a forecast is plain in a pipe, and refuses the past`() throws {
    let told = try worker("forecast", "schedule_daily_push", "--day", "2126-03-01")
    let json = try worker("forecast", "schedule_daily_push", "--json")
    let past = try worker("forecast", "schedule_daily_push", "--day", "2020-01-01")

    #expect(
      told.output == """
        schedule_daily_push on 2126-03-01, the learner's own: 0 of 1 learners would get a push

        no push because  learners
        no_device        1

        """)
    #expect(json.output.contains(#""learners": 1,"#))
    #expect(past.errors.hasPrefix("worker: 2020-01-01 is over: a forecast is of "))
    #expect(past.exitCode == 65)
  }

  @Test func `a forecast's heading of two sentences has a line for each`() {
    let forecast = Forecast(heading: "a day:\nso\tmany", charts: [], facts: nil)

    #expect(
      forecast.text(in: Style(isColoured: false), withBars: false) == "a day:\nso\\tmany")
  }

  @Test func `on a terminal the hours are bars, and the least of them is seen`() {
    let chart = Forecast.Chart(
      "hour", bars: [.init("10:00", 1000), .init("11:00", 1), .init("12:00", 0)])
    let forecast = Forecast(heading: "a day", charts: [chart], facts: nil)

    #expect(
      forecast.text(in: Style(isColoured: false), withBars: true)
        == "a day\n\nhour   learners\n10:00  1000      \(String(repeating: "█", count: 40))\n"
        + "11:00  1         █\n12:00  0")
  }

  @Test(arguments: [100, 80, 60, 40])
  func `a bar tells what is past from what is to come, and fits the terminal`(width: Int) {
    let chart = Forecast.Chart(
      "hour of the learner",
      bars: [
        .init("10:00", .init(soFar: 900, tooLate: 100), isOver: true),
        .init("11:00", .init(soFar: 1, toCome: 1, tooLate: 1)), .init("12:00", .init()),
      ])
    let forecast = Forecast(heading: "a day", charts: [chart], facts: nil)

    let text = forecast.text(in: Style(isColoured: false, width: width), withBars: true)

    #expect(text.split(separator: "\n").allSatisfy { $0.count <= max(width, 58) })
    #expect(text.contains("10:00") && text.contains("over"))
    #expect(text.contains("so far █") == (width >= 80) && text.contains("█░·") == (width >= 80))
    #expect(
      width < 100
        || text.contains(String(repeating: "█", count: 32)) && text.contains(" over  █"))
  }

  @Test func `a day that is to come has no columns of the past, and no empty hours at its ends`() {
    let chart = Forecast.Chart(
      "hour",
      bars: [
        .init("08:00", .init()), .init("09:00", .init(toCome: 2)), .init("10:00", .init()),
        .init("11:00", .init(toCome: 1)), .init("12:00", .init()),
      ])
    let forecast = Forecast(heading: "a day", charts: [chart], facts: nil)

    #expect(
      forecast.text(in: Style(isColoured: false), withBars: false) == """
        a day

        hour   to come
        09:00  2
        10:00  0
        11:00  1
        """)
  }
}
