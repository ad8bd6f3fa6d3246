import Config
import Settings
import Testing

@testable import CommandJobs

@Suite("Refuse a job that runs a program")
struct RefusalTests {
  private static let text = """
    [jobs.report]
    kind = "command"
    command = ["/bin/sh", "-c", "true"]
    every = "1d"
    """

  private static let command = "command = [\"/bin/sh\", \"-c\", \"true\"]"

  @Test(arguments: [
    (
      "command = [\"report\"]",
      "3:12: 'jobs.report.command' begins with 'report': write the absolute path of a program, as in"
        + " [\"/usr/local/bin/report\", \"--day\", \":day\"]"
    ),
    (
      "command = []",
      "3:11: 'jobs.report.command' is empty: write a list of words that begins with the path of a program,"
        + " such as [\"/usr/local/bin/report\", \"--day\", \":day\"]"
    ),
    (
      "command = \"/bin/true\"",
      "3:11: 'jobs.report.command' is a string: write a list of words that begins with the path of a program,"
        + " such as [\"/usr/local/bin/report\", \"--day\", \":day\"]"
    ),
    (
      "command = [\"/bin/true\", 7]",
      "3:25: 'jobs.report.command' holds a whole number: write words in quotes, as in"
        + " [\"/usr/local/bin/report\", \"--day\", \":day\"]"
    ),
    (
      "command = [\"/bin/echo\", \":date\"]",
      "3:25: 'jobs.report.command' has ':date', which stands for nothing: write ':day', ':tick', ':zone', ':run',"
        + " ':attempt' or ':job', or '::date' for the word itself"
    ),
    (
      "command = [\"/bin/true\"]\ncommand_user = \"who-is-that\"",
      "4:16: 'jobs.report.command_user' is 'who-is-that', whom this host does not know: write the name of a user"
        + " of this host who is not root, such as \"report\""
    ),
    (
      "command = [\"/bin/true\"]\ncommand_user = \"root\"",
      "4:16: 'jobs.report.command_user' is 'root', who is root: write the name of a user of this host who is not"
        + " root, such as \"report\""
    ),
    (
      "command = [\"/bin/true\"]\nfolder = \"tmp\"",
      "4:10: 'jobs.report.folder' is 'tmp': write an absolute path, or \"~\" for the home of its user"
    ),
    (
      "command = [\"/bin/true\"]\nmemory = \"1M\"",
      "4:10: 'jobs.report.memory' is '1M': write a size from \"16M\" to \"1024G\", such as \"512M\""
    ),
    (
      "command = [\"/bin/true\"]\nenvironment = { JOBKIT_RUN = \"1\" }",
      "4:17: 'jobs.report.environment.JOBKIT_RUN' is set for each run: names that begin with JOBKIT_ are taken"
    ),
    (
      "command = [\"/bin/true\"]\nmost = 7",
      "4:8: 'jobs.report.most' bounds what a program does, which nobody knows: leave it out"
    ),
    (
      "",
      "1:7: 'jobs.report' has no 'command': write a list of words that begins with the path of a program, such as"
        + " [\"/usr/local/bin/report\", \"--day\", \":day\"]"
    ),
  ])
  func `what cannot be run is refused where it is written`(line: String, said: String) throws {
    let text = Self.text.replacing(Self.command, with: line)

    #expect(try Described.problems(in: text) == [said])
  }

  @Test func `a job without a time is refused`() throws {
    #expect(
      try Described.problems(in: Self.text.replacing("every = \"1d\"", with: "")) == [
        "1:7: 'jobs.report' has no 'schedule': write when it runs, such as schedule = \"30 3 * * *\""
      ])
  }

  @Test(arguments: [
    ("/nowhere/report", "does not exist"), ("/etc/passwd", "is not executable"),
    ("/etc", "is no file"),
  ])
  func `a program that is not there is remarked on, for it may be installed later`(
    path: String, fault: String
  ) throws {
    let text = Self.text.replacing("/bin/sh", with: path) + "\n" + Described.userLine

    #expect(
      try Described.load(text).warnings.map { "\($0)" } == [
        "worker.toml:3:12: 'jobs.report.command' names '\(path)', which \(fault) on this host"
      ])
  }

  @Test func `where the daemon is root, a command without a user is remarked on`() throws {
    let remark =
      "worker.toml:3:12: 'jobs.report.command' has no 'command_user' beside it: a daemon that is root"
      + " runs no program without one"

    #expect(
      try Described.load(Self.text).warnings.map { "\($0)" }
        == (CommandUser.own == 0 ? [remark] : []))
  }

  @Test func `the command is a setting, so that a reload tells what is different`() throws {
    let one = try Described.load(Self.text).settings
    let other = try Described.load(Self.text.replacing("\"true\"", with: "\"false\"")).settings

    #expect(
      other.changes(since: one).map(\.description) == [
        "jobs.report.command: /bin/sh -c true -> /bin/sh -c false"
      ])
  }
}
