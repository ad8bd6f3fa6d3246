internal import TestSupport
import Testing

/// What `worker next` says about the jobs of the settings.
@Suite("worker next of jobs")
struct NextJobsTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    let others = AppJobs.all(
      but: "refresh_leaderboard", "settle_rewards", "sweep_push_outcomes")
    try folder.write(
      """
      [time]
      zone = "America/New_York"
      [jobs.refresh_leaderboard]
      schedule = "30 2 * * *"
      [jobs.settle_rewards]
      every = "12h"

      """ + others.map { "[jobs.\($0)]\nenabled = false\n" }.joined(),
      to: "worker.toml", mode: 0o644)
  }

  private func next(_ words: String...) throws -> Program {
    try Program(
      words: ["next"] + words,
      variables: [
        "WORKER_CONFIG": folder.path + "/worker.toml", "TZDIR": TestEnvironment.zoneinfo,
      ])
  }

  private func moments(in program: Program) -> [String] {
    program.output.matches(of: /"scheduled_for": "([^"]*)"/).map { String($0.1) }
  }

  @Test func `the ticks of all jobs come in the order of time, those of a day`() throws {
    let program = try next("--from", "2026-03-08T06:20:00Z")

    let lines = program.output.split(separator: "\n")
    // One for all of each hour, two of the rhythm, one of the night, and the header.
    #expect(lines.count == 1 + 2 + 1 + 1)
    #expect(
      lines[0...2].joined(separator: "\n") == """
        scheduled for (-05:00)  day     job                  note
        2026-03-08 01:25        sunday  sweep_push_outcomes  the first of \
        23: 'worker next sweep_push_outcomes' shows all
        2026-03-08 03:00-04:00  sunday  refresh_leaderboard  02:30 does not \
        exist on 2026-03-08 in America/New_York: runs at 03:00, the first moment after the gap
        """)
    #expect(program.exitCode == 0)
  }

  @Test func `a job that fires very often has one line among those of all, and machines see each`()
    throws
  {
    let others = try TextFile.read(folder.path + "/worker.toml")
    try folder.write(
      others.replacing("[jobs.deliver_pushes]\nenabled = false\n", with: ""), to: "worker.toml",
      mode: 0o644)
    let range = ["--from", "2026-03-09", "--days", "1"]

    let table = try next(range[0], range[1], range[2], range[3])
    let counted = try next(range[0], range[1], range[2], range[3], "--count", "30")
    let machines = try next(range[0], range[1], range[2], range[3], "--json")

    let lines = table.output.split(separator: "\n").filter { $0.contains("deliver_pushes") }
    #expect(lines.count == 1)
    #expect(lines[0].hasSuffix("the first of 1440: 'worker next deliver_pushes' shows all"))
    #expect(lines[0].hasPrefix("2026-03-09 00:00 "))
    #expect(table.output.split(separator: "\n").count == 1 + 1 + 1 + 2 + 1)
    #expect(counted.output.split(separator: "\n").count == 1 + 30)
    #expect(moments(in: machines).count == 1440 + 24 + 2 + 1)
  }

  @Test func `the ticks of one job, in any spelling, are those of a week`() throws {
    let program = try next("refreshLeaderboard", "--from", "2026-03-08", "--json")

    #expect(moments(in: program).count == 7)
    #expect(
      program.output.hasPrefix(
        """
        [
          {
            "job": "refresh_leaderboard",
            "scheduled_for": "2026-03-08T07:00:00Z",
            "local": "2026-03-08T03:00:00-04:00",
            "note": "02:30 does not exist
        """))
  }

  @Test(arguments: [("2026-03-08", 23), ("2026-03-09", 24), ("2026-11-01", 25)])
  func `a day is as long as clocks make it`(date: String, hours: Int) throws {
    let program = try next("sweep_push_outcomes", "--from", date, "--days", "1", "--json")

    #expect(moments(in: program).count == hours)
  }

  @Test func `a number of ticks needs no end`() throws {
    let program = try next("refresh_leaderboard", "--from", "2026-03-08", "--count", "9", "--json")

    #expect(moments(in: program).count == 9)
    #expect(moments(in: program).last == "2026-03-16T06:30:00Z")
  }

  @Test func `a disabled job fires at no time`() throws {
    let program = try next("deliver_pushes")

    #expect(program.output == "none of them fires then\n")
    #expect(program.exitCode == 0)
  }

  @Test func `a calendar reads the ticks, their local time and why then`() throws {
    let program = try next(
      "refresh_leaderboard", "--from", "2026-03-07", "--days", "2", "--ics")
    let file = try folder.write(program.output, to: "calendar.ics", mode: 0o644)

    let read = try read(calendar: file)

    let purpose = "ranks learners anew and switches readers to the new leaderboard in one step"
    #expect(
      read == """
        refresh_leaderboard-20260307T073000Z@worker\t2026-03-07T07:30:00UTC\trefresh_leaderboard\t\
        \(purpose)|2026-03-07T02:30:00-05:00 in America/New_York
        refresh_leaderboard-20260308T070000Z@worker\t2026-03-08T07:00:00UTC\trefresh_leaderboard\t\
        \(purpose)|2026-03-08T03:00:00-04:00 in America/New_York|02:30 does not exist on 2026-03-08 \
        in America/New_York: runs at 03:00, the first moment after the gap

        """)
  }

  @Test func `every line of a calendar ends as the standard wants and is no longer`() throws {
    let program = try next("--from", "2026-03-07", "--days", "3", "--ics")

    let bytes = Array(program.output.utf8)
    let lines = program.output.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(bytes.count { $0 == 10 } == lines.count - 1)
    #expect(bytes.count { $0 == 13 } == lines.count - 1)
    #expect(lines.allSatisfy { $0.utf8.count <= 75 })
    #expect(lines.first == "BEGIN:VCALENDAR")
    #expect(lines.suffix(2) == ["END:VCALENDAR", ""])
  }

  @Test func `a calendar without an event is none`() throws {
    let program = try next("deliver_pushes", "--ics")

    #expect(program.output.isEmpty)
    #expect(program.errors == "note: none of them fires then: no calendar\n")
    #expect(program.exitCode == 0)
  }

  @Test(arguments: [
    (
      ["--days", "2", "--to", "2030-01-01"],
      "'--days 2': write --to or --days, not both"
    ),
    (["--days", "0"], "'--days 0': write a whole number from 1 to 3660"),
    (["--ics", "--json"], "'--ics': write --json or --ics, not both"),
    (
      ["--schedule", "0 * * * *", "--ics"],
      "'--ics': a calendar shows jobs: leave --schedule out"
    ),
    (
      ["settle_rewards", "--schedule", "0 * * * *"],
      "'settle_rewards': write a job or --schedule, not both"
    ),
    (
      ["refresh_leaderboard", "--zone", "UTC"],
      "'refresh_leaderboard': a job fires as its settings say, by the clocks of America/New_York: to"
        + " try out its schedule, write worker next --schedule '30 2 * * *' --zone UTC"
    ),
    (
      ["--schedule", "every 5m", "--dst", "once"],
      "'--dst once': 'every 5m' follows no clock on a wall: leave --dst out"
    ),
  ])
  func `what cannot be read is refused with what to write`(
    words: [String], sentence: String
  ) throws {
    let program = try Program(
      words: ["next"] + words,
      variables: [
        "WORKER_CONFIG": folder.path + "/worker.toml", "TZDIR": TestEnvironment.zoneinfo,
      ])

    #expect(
      program.errors == "worker: \(sentence); 'worker next --help' shows what can be written\n")
    #expect(program.exitCode == 64)
  }

  @Test(arguments: [
    ("settle_reward", "there is no job 'settle_reward': did you mean 'settle_rewards'? "),
    ("everything", "there is no job 'everything': "),
  ])
  func `a job that is not there is answered with the nearest, and what lists them`(
    name: String, sentence: String
  ) throws {
    let program = try Program(
      words: ["next", name],
      variables: [
        "WORKER_CONFIG": folder.path + "/worker.toml", "TZDIR": TestEnvironment.zoneinfo,
      ])

    #expect(program.errors == "worker: \(sentence)'worker jobs' lists them\n")
    #expect(program.exitCode == 64)
  }

  /// What an independent reader of calendars finds in a file.
  private func read(calendar file: String) throws -> String {
    let reader = try ChildProcess(
      ".build/oracles/python/bin/python", ["Tests/oracles/readcalendar.py", file],
      output: folder.path + "/read")
    #expect(try reader.status() == 0)
    return try TextFile.read(folder.path + "/read")
  }
}
