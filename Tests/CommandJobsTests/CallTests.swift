import Config
import JobKit
import Ledger
import Postgres
import Runner
import TestKit
import TestSupport
import Testing

@testable import CommandJobs

@Suite("What a program of a job is given")
struct CallTests {
  private let stage: Stage

  init() throws { stage = try Stage(at: "2026-03-01T03:30:00Z") }

  @Test func `the words that stand for values are whole arguments`() throws {
    let job = try Described(
      """
      [jobs.report]
      kind = "command"
      command = ["/usr/bin/printf", "%s|", ":day", ":tick", ":zone", ":job", ":attempt", "x:day", "::day", ":"]
      every = "1d"
      zone = "Asia/Seoul"
      \(Described.userLine)
      """)

    #expect(
      try stage.end(of: job).output
        == "2026-03-01|2026-03-01T03:30:00Z|Asia/Seoul|report|1|x:day|:day|:|")
  }

  @Test func `the day is that of the zone of the schedule`() throws {
    let end = try stage.end(of: .shell("echo $JOBKIT_DAY", "zone = \"America/Los_Angeles\""))

    #expect(end.output == "2026-02-28\n")
  }

  @Test func `it finds its own variables and those of the settings, and no others`() throws {
    let settings = "environment = { LANG = \"C.UTF-8\", PATH = \"/usr/bin:/bin\" }"
    let end = try stage.end(
      of: .shell("env | grep -v -e ^PWD= -e ^SHLVL= -e ^_= | sort", settings))
    let run = try stage.count("SELECT max(id) FROM jobkit.run")

    #expect(
      end.output == """
        HOME=\(CommandUser.home(of: Described.user))
        JOBKIT_ATTEMPT=1
        JOBKIT_DAY=2026-03-01
        JOBKIT_JOB=report
        JOBKIT_PART=0
        JOBKIT_PARTS=1
        JOBKIT_PROGRESS=3
        JOBKIT_RUN=\(run)
        JOBKIT_TICK=2026-03-01T03:30:00Z
        JOBKIT_ZONE=UTC
        LANG=C.UTF-8
        PATH=/usr/bin:/bin

        """)
  }

  @Test func `its attempt counts each time it is begun, also when a daemon was lost`() throws {
    let job = try Described.shell("echo $JOBKIT_ATTEMPT; exit 75", tries: 3)
    let name = job.definition.name
    let request = Ledger.RunRequest(
      name, for: try stage.now, parts: 1, policies: job.definition.policies, by: "test")
    let run = try Ledger.enter(request, at: stage.now, on: stage.connection)
    let lost = DaemonID(host: "host", process: 1, version: "1", settingsHash: "1", word: 7)
    _ = try Ledger.claim(
      1, of: [name], for: lost, lease: .seconds(15), at: stage.clock.reading,
      on: stage.connection)
    try stage.pass(.seconds(16))
    #expect(try Ledger.rescue([name], at: stage.now, on: stage.connection).count == 1)
    let output = { () throws in
      try stage.connection.run("UPDATE jobkit.part SET not_before = 'epoch'")
      try stage.goOn(with: job)
      return try Ledger.outputs(of: run, on: stage.connection).first?.text
    }

    let afterLoss = try output()
    let afterFailure = try output()

    #expect([afterLoss, afterFailure] == ["2\n", "3\n"])
    #expect(try stage.count("SELECT epoch FROM jobkit.part") == 4)
  }

  @Test(arguments: [("", "/"), ("folder = \"/usr/bin\"", "/usr/bin")])
  func `it begins in its folder`(settings: String, folder: String) throws {
    #expect(try stage.end(of: .shell("pwd", settings)).output == "\(folder)\n")
  }

  @Test func `a folder of a tilde is the home of its user, and one that is not there says so`()
    throws
  {
    let home = CommandUser.home(of: Described.user)
    let allow = "overlap = \"allow\""
    let end = try stage.end(of: .shell("pwd", "folder = \"~\"\n\(allow)"))

    let isThere = OpenFolder.isThere(home)
    #expect(
      isThere ? end.output == "\(home)\n" : end.error.hasPrefix("it cannot begin in its folder: "))
    let lost = try stage.end(of: .shell("pwd", "folder = \"/nowhere\"\n\(allow)"))
    #expect(lost.error == "it cannot begin in its folder: no such file or directory")
  }

  @Test func `it has its limits, and no file of the daemon's`() throws {
    let end = try stage.end(
      of: .shell(
        "ulimit -v; ulimit -n; ulimit -c; exec ls -l /proc/self/fd | awk 'NF > 9 {print $9}'",
        "memory = \"512M\"\nfiles = 99"))

    // The fourth is the folder that ls itself reads.
    #expect(end.output == "524288\n99\n0\n0\n1\n2\n3\n4\n")
  }

  @Test(.enabled(if: CommandUser.own == 0))
  func `it has the rights of its user and of no other`() throws {
    let end = try stage.end(of: .shell("id -un; id -u; grep NoNewPrivs /proc/self/status"))

    #expect(end.output.hasPrefix("nobody\n"))
    #expect(end.output.hasSuffix("NoNewPrivs:\t1\n"))
  }

  @Test func `a dry run says what would be run and runs nothing`() throws {
    let folder = try OpenFolder()
    let report = try stage.dryRun(.shell("touch \"\(folder.path)/it's\"") as Described)

    #expect(
      "\(report)".hasPrefix(
        "would succeed: runs /bin/sh -c 'touch \"\(folder.path)/it'\\''s\"'"))
    #expect("\(report)".hasSuffix(", which a dry run does not"))
    #expect(throws: (any Error).self) { try folder.read("it's") }
  }

  @Test func `what it says of its progress is the part's`() throws {
    _ = try stage.end(of: .shell("echo progress 3/7 >&3; echo anything >&3; echo progress 5 >&3"))

    #expect(
      try stage.text("SELECT done || ' of ' || total || ' ' || state FROM jobkit.part")
        == "5 of 7 succeeded")
  }

  @Test func `a later try writes its output over that of an earlier one, and a purge deletes it`()
    throws
  {
    let folder = try OpenFolder()
    let job = try Described.shell(
      "if mkdir \(folder.path)/done 2>&-; then echo first; exit 75; fi; echo try $JOBKIT_ATTEMPT",
      tries: 2)
    let run = try stage.run(job)
    try stage.connection.run("UPDATE jobkit.part SET not_before = 'epoch'")
    try stage.goOn(with: job)

    #expect(
      try Ledger.outputs(of: run.id, on: stage.connection)
        .map { "\($0.part) \($0.epoch) \($0.text)" } == ["0 2 try 2\n"])
    try stage.connection.run("DELETE FROM jobkit.run")
    #expect(try stage.count("SELECT count(*) FROM jobkit.output") == 0)
  }
}
