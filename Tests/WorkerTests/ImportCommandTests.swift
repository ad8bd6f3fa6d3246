import TestSupport
import Testing

/// The command on whole files, whose output `worker check` judges.
@Suite("Import a crontab by the program")
struct ImportCommandTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `what is printed passes a check, and a line that is left out ends it with 65`() throws
  {
    let good = CrontabTests.lines.map(\.line).joined(separator: "\n")
    let tab = try folder.write("\(good)\n@reboot /bin/true\n", to: "tab", mode: 0o644)
    let variables = try ["TZDIR": TestEnvironment.zoneinfo, "PATH": "/usr/bin:/bin"]

    let imported = try Program(
      shell: "cat \(tab) | \"$PROGRAM\" import crontab - --zone Europe/Berlin", variables: variables
    )

    #expect(imported.exitCode == 65)
    #expect(
      imported.errors.contains("standard input:8:1: '@reboot' has no meaning for a job that any"))
    #expect(imported.errors.hasSuffix("1 line is left out\n"))
    #expect(imported.output.contains("\n\n# line 8 is left out: '@reboot' has no meaning"))
    let file = try folder.write(
      "apps.learning = false\n" + imported.output, to: "worker.toml", mode: 0o644)
    let check = try Program("check", "--config", file, variables: variables)
    #expect(check.exitCode == 0, "\(check.errors)")
  }

  @Test func `a system's crontab with users of this host passes a check`() throws {
    let tab = try folder.write(
      "17 * * * * root cd / && run-parts --report /etc/cron.hourly\n5 5 * * * nobody /bin/true\n",
      to: "tab", mode: 0o644)
    let variables = try ["TZDIR": TestEnvironment.zoneinfo, "PATH": "/usr/bin:/bin"]

    let imported = try Program(
      "import", "crontab", tab, "--system", "--zone", "UTC", variables: variables)

    #expect(imported.exitCode == 0 && imported.errors.isEmpty)
    let file = try folder.write(
      "apps.learning = false\n" + imported.output, to: "worker.toml", mode: 0o644)
    let check = try Program("check", "--config", file, variables: variables)
    #expect(check.exitCode == 0, "\(check.errors)")
  }
}
