internal import TestSupport
import Testing

@Suite("worker check")
struct CheckTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func check(_ text: String, _ words: String...) throws -> Program {
    let file = try folder.write(text, to: "worker.toml", mode: 0o644)
    return try Program(
      words: ["check", "--config", file] + words, variables: ["TZDIR": TestEnvironment.zoneinfo])
  }

  @Test func `good settings are shown with each job's next tick`() throws {
    let program = try check(
      """
      workers = 2
      [jobs.refreshLeaderboard]
      schedule = "30 2 * * *"
      zone = "America/New_York"
      [jobs.deliver_pushes]
      enabled = false
      """)

    #expect(program.output.contains("workers   2\n"))
    #expect(
      program.output.contains(/refresh_leaderboard +30 2 \* \* \* +America\S+  [0-9- ]*:30 \(in/)
    )
    #expect(program.output.contains(/deliver_pushes +\S.* +disabled\n/))
    #expect(program.output.hasSuffix("\nno problem\n"))
    #expect(program.errors.isEmpty)
    #expect(program.exitCode == 0)
  }

  @Test func `every problem is reported with its place, down the file`() throws {
    let program = try check(
      """
      wrkers = 4
      [jobs.schedule_daily_push]
      schedule = "*/0 * * * *"
      [jobs.deliver_pushes]
      schedule = "75 * * * *"
      [jobs.settle_rewards]
      schedule = "0 0 30 2 *"
      [jobs.recommend_review]
      schedule = "0 22-2 * * *"
      zone = "Europe/Zurch"
      """)

    let file = folder.path + "/worker.toml"
    #expect(
      program.errors == """
        \(file):1:1: unknown setting 'wrkers': did you mean 'workers'?
        \(file):3:12: the step of '*/0' in the minute field is no step: write 1 to 59
        \(file):5:12: '75' in the minute field is out of range: write 0 to 59
        \(file):7:12: day '30' never comes in month '2': write a day from 1 to 29
        \(file):9:12: '22-2' in the hour field runs backwards: write 22-23,0-2
        \(file):10:8: unknown zone 'Europe/Zurch': did you mean 'Europe/Zurich'?
        worker: 6 problems: these settings are not used

        """)
    #expect(program.output.isEmpty)
    #expect(program.exitCode == 78)
  }

  @Test func `texts that cannot be used are told of beside what else is wrong`() throws {
    try ChildProcess.run("/bin/mkdir", ["\(folder.path)/texts"])
    try folder.write("[basic]\n", to: "texts/en.toml", mode: 0o644)

    let program = try check(
      """
      workers = 0
      [push]
      messages = "\(folder.path)/texts"
      """)

    let lines = program.errors.split(separator: "\n")
    #expect(lines[0].hasPrefix("\(folder.path)/worker.toml:1:11: 'workers' is 0"))
    #expect(lines.contains { $0.hasPrefix("\(folder.path)/texts") })
    #expect(program.exitCode == 78)
  }

  @Test func `an empty WORKER_CONFIG is one that is not set`() throws {
    let program = try Program("check", variables: ["WORKER_CONFIG": ""])

    #expect(program.errors.hasPrefix("worker: cannot read the settings '/etc/worker/worker.toml'"))
  }

  @Test func `JSON tells the same, a problem an object`() throws {
    let program = try check("wrkers = 4", "--json")

    #expect(program.output.contains("\"ok\": false"))
    #expect(program.output.contains("\"line\": 1,"))
    #expect(
      program.output.contains(#""what": "unknown setting 'wrkers': did you mean 'workers'?""#))
    #expect(program.errors.isEmpty)
    #expect(program.exitCode == 78)
  }

  @Test func `a file that is not there is refused with how to name another`() throws {
    let program = try Program("check", "--config", "/nonexistent/worker.toml")

    #expect(
      program.errors
        == "worker: cannot read the settings '/nonexistent/worker.toml': no such file or directory;"
        + " name the file with --config or $WORKER_CONFIG\n")
    #expect(program.exitCode == 78)
  }

  @Test(arguments: [
    ([0x77, 0x0A, 0x23, 0xFC], "line 2 is not text in UTF-8"),
    ([0x7F, 0x45, 0x4C, 0x46, 0xFF], "line 1 is not text in UTF-8"),
  ])
  func `a file that is no text is refused`(bytes: [UInt8], reason: String) throws {
    let file = "\(folder.path)/worker.toml"
    let octal = bytes.map { "\\0" + String($0, radix: 8) }.joined()
    let program = try Program(
      shell: #"printf '%b' '\#(octal)' >"$FILE"; "$PROGRAM" check --config "$FILE""#,
      variables: ["FILE": file])

    #expect(
      program.errors == "worker: cannot read the settings '\(file)': \(reason);"
        + " name the file with --config or $WORKER_CONFIG\n")
    #expect(program.exitCode == 78)
  }

  @Test func `a folder is refused`() throws {
    let program = try Program("check", "--config", folder.path)

    #expect(
      program.errors == "worker: cannot read the settings '\(folder.path)': is a directory;"
        + " name the file with --config or $WORKER_CONFIG\n")
    #expect(program.exitCode == 78)
  }

  @Test func `a file of any length is refused at its bound`() throws {
    let file = "\(folder.path)/long.toml"
    let program = try Program(
      shell: #"truncate -s 50M "$FILE"; "$PROGRAM" check --config "$FILE""#,
      variables: ["FILE": file, "PATH": "/usr/bin:/bin"])

    #expect(
      program.errors == """
        \(file):1:1: the text is longer than 1 MiB: settings are a few lines, is this the right file?
        worker: 1 problem: these settings are not used

        """)
    #expect(program.exitCode == 78)
  }

  @Test func `the file may be named by WORKER_CONFIG`() throws {
    let file = try folder.write("workers = 3", to: "other.toml", mode: 0o644)

    let program = try Program("check", variables: ["WORKER_CONFIG": file])

    #expect(program.output.contains("workers   3\n"))
  }

  @Test func `--connect asks the database and says which it is`() throws {
    let database = try TestDatabase.migrated()

    let program = try check("[database]\nurl = \"\(database.url)\"", "--connect")

    #expect(program.output.contains("PostgreSQL 15."))
    #expect(program.exitCode == 0)
  }

  @Test
  func
    `a database without its migrations is refused with 75, in one line, by --connect and health`()
    throws
  {
    let database = try TestDatabase()
    let settings = "[database]\nurl = \"\(database.url)\""

    let check = try check(settings, "--connect")
    let file = folder.path + "/worker.toml"
    let health = try Program(
      "health", variables: ["WORKER_CONFIG": file, "TZDIR": TestEnvironment.zoneinfo])

    let missing = "\(MigrationStep.allMissing): run 'worker migrate up'"
    #expect(check.errors == "worker: \(missing)\n")
    #expect(!check.output.contains("no problem"))
    #expect(check.exitCode == 75)
    #expect(health.output.split(separator: "\n").count == 1, "\(health.output)")
    #expect(health.output.hasPrefix("live, ready, schedule  ") && health.output.contains(missing))
  }

  @Test func `a database that cannot be reached ends it with 69, and no good word`() throws {
    let program = try check("[database]\nurl = \"host=\(folder.path) dbname=worker\"", "--connect")

    #expect(
      program.errors.hasPrefix("worker: cannot reach Postgres at \(folder.path):5432"))
    #expect(!program.output.contains("no problem"))
    #expect(program.exitCode == 69)
  }

  @Test func `the password of a database never shows`() throws {
    let file = try folder.write("marker-Vb7q\n", to: "password")
    let program = try check(
      "[database]\nurl = \"host=127.0.0.1 port=1 user=x\"\npassword_file = \"\(file)\"",
      "--connect", "--json")

    #expect(!(program.output + program.errors).contains("marker-Vb7q"))
    #expect(program.exitCode == 69)
  }
}
