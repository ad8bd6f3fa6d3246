import Config
import Testing

@testable import WorkerProgram

/// What becomes of a crontab.
@Suite("worker import crontab")
struct CrontabTests {
  private static func reader(of text: String, isSystem: Bool = false) -> CrontabReader {
    var reader = CrontabReader(isSystem: isSystem) { $0.hasPrefix("Europe/") }
    reader.read(text)
    return reader
  }

  /// The settings that a text becomes, without what stands at the head of all.
  private static func settings(
    of text: String, isSystem: Bool = false, zone: String = "Europe/Berlin"
  ) -> String {
    let whole = CrontabImport(zone: zone, taken: ["taken"]) { $0 == "www-data" }
      .settings(of: reader(of: text, isSystem: isSystem), from: "tab")
    return whole.split(separator: "\n\n", maxSplits: 1).last.map(String.init) ?? ""
  }

  /// A line, and the remarks and settings that it becomes.
  static let lines: [(line: String, becomes: String)] = [
    (
      "5 3 * * * /usr/bin/backup.sh --all '/srv/my files' \"x\"",
      """
      [jobs.backup]
      kind = "command"
      command = ["/usr/bin/backup.sh", "--all", "/srv/my files", "x"]
      schedule = "5 3 * * *"
      """
    ),
    (
      "@daily cd /srv/app && ./report.py | mail -s \"today\" ops",
      #"""
      # it needs a shell, as it had below cron
      [jobs.report]
      kind = "command"
      command = ["/bin/sh", "-c", 'cd /srv/app && ./report.py | mail -s "today" ops']
      schedule = "@daily"
      """#
    ),
    (
      "*/10  8-17 *\t* MON-FRI /bin/date +\\%F :day :",
      """
      # where clocks change, cron leaves out the times that are skipped and runs twice those that come twice: here each \
      runs once, unless 'dst' says otherwise
      [jobs.date]
      kind = "command"
      command = ["/bin/date", "+%F", "::day", ":"]
      schedule = "*/10 8-17 * * MON-FRI"
      """
    ),
    (
      "0 0-23 * * * /bin/taken",
      """
      # where clocks change, cron runs what is skipped later, and nothing twice: here all hours are a rhythm in real time
      [jobs.taken_2]
      kind = "command"
      command = ["/bin/taken"]
      schedule = "0 0-23 * * *"
      """
    ),
    (
      "0 4 1,15 * MON /bin/true",
      """
      # day and weekday are both given: a day that matches either counts
      [jobs.true]
      kind = "command"
      command = ["/bin/true"]
      schedule = "0 4 1,15 * MON"
      """
    ),
    (
      "0 4 1-31 * MON /bin/true",
      """
      # day '1-31' with weekday 'MON' is every day: a day that matches either counts
      [jobs.true]
      kind = "command"
      command = ["/bin/true"]
      schedule = "0 4 * * *"
      """
    ),
    (
      "1 1 * * * mail -s it's ops%Dear all,%%END%bye",
      """
      # what stands behind '%' is standard input, a line for each further '%'
      # it needs a shell, as it had below cron
      [jobs.mail]
      kind = "command"
      command = ["/bin/sh", "-c", '''
      { mail -s it's ops
      } <<'END_'
      Dear all,

      END
      bye
      END_
      ''']
      schedule = "1 1 * * *"
      """
    ),
  ]

  @Test(arguments: lines)
  func `a line becomes a table with a remark for each thing that cron does otherwise`(
    line: String, becomes: String
  ) throws {
    let found = Self.settings(of: line)
    let written = line.replacing("\t", with: "\\t")

    #expect(
      found == "# line 1: \(written)\n\(becomes)\nzone = \"Europe/Berlin\"\nfolder = \"~\"\n")
  }

  @Test func `variables hold for the lines below them, and those of cron are no program's`() {
    let found = Self.settings(
      of: """
        # of ana
        SHELL = /bin/bash
        PATH="/opt/my bin:/usr/bin"
        MAILTO=ana@example.org
        1 1 * * * /bin/one
        MAILTO=""
        CRON_TZ=Europe/Madrid
        HOME=/srv
        2 2 * * * one two
        """)
    let tables = found.split(separator: "\n\n")

    #expect(
      tables.first?.hasSuffix(
        """
        # cron mails 'ana@example.org' what it prints: name a receiver in [notify]
        [jobs.one]
        kind = "command"
        command = ["/bin/one"]
        schedule = "1 1 * * *"
        zone = "Europe/Berlin"
        folder = "~"
        environment = { SHELL = "/bin/bash", PATH = "/opt/my bin:/usr/bin" }
        """) == true)
    #expect(tables.last?.contains("command = [\"/bin/bash\", \"-c\", \"one two\"]") == true)
    #expect(tables.last?.contains("zone = \"Europe/Madrid\"\nfolder = \"/srv\"\n") == true)
    #expect(tables.last?.hasSuffix(", HOME = \"/srv\" }\n") == true)
    #expect(tables.last?.contains("cron mails") == false)
  }

  @Test func `a system's line names its user, and what ran as root waits for another`() {
    let found = Self.settings(
      of: "1 1 * * * www-data /bin/one\n@hourly root /bin/two\n2 2 * * * ghost /bin/three",
      isSystem: true)

    #expect(found.contains("folder = \"~\"\ncommand_user = \"www-data\"\n"))
    #expect(
      found.contains(
        "# no program is run as root: name a user in 'command_user', and take 'enabled' away\n[jobs.two]\n"
      ))
    #expect(found.contains("# command_user = \"root\"\nenabled = false\n"))
    #expect(found.contains("# this host has no user 'ghost': name a user"))
    #expect(found.contains("# command_user = \"ghost\"\nenabled = false\n"))
  }

  @Test func `a zone whose clocks never change needs no remark on changes`() {
    #expect(!Self.settings(of: "*/5 3 * * * /bin/true", zone: "UTC").contains("clocks change"))
  }

  @Test(arguments: [
    (
      "@reboot /bin/true",
      "1:1: '@reboot' has no meaning for a job that any of many daemons may run: write a time, such as @hourly"
    ),
    (
      "@dayly /bin/true", "1:1: unknown schedule '@dayly': did you mean '@daily'?"
    ),
    (
      "\t5 3 * *",
      "1:2: has 4 fields: write five, minute hour day month weekday, and the command behind them"
    ),
    ("5 3 * * *  ", "1:1: has no command behind its schedule"),
    (
      "5 25 * * * /bin/true", "1:3: '25' in the hour field is out of range: write 0 to 23"
    ),
    (
      "5  3 * 13 * /bin/true", "1:8: '13' in the month field is out of range: write 1 to 12"
    ),
    (
      "5/10 * * * * /bin/true",
      "1:1: '5/10' in the minute field has a step but no range: write 5-59/10"
    ),
    (
      "0 4 */2 * MON /bin/true",
      "1:5: day '*/2' with weekday 'MON' means days that match both to cron, since one begins with '*', and no"
        + " schedule says that here: let the program look at the day"
    ),
    ("CRON_TZ=Mars", "1:1: there is no zone 'Mars': write one such as Europe/Zurich"),
  ])
  func `what cannot be a job is told with its line and column`(line: String, said: String) {
    let faults = Self.reader(of: line).faults

    #expect(
      faults.map { "\($0.position.line):\($0.position.column): \($0.reason)" } == [said])
  }
}
