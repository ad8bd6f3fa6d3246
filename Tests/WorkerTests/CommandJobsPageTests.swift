import Glibc
import Postgres
import TestSupport
import Testing

/// What docs/command-jobs.md shows, with the real program on a real database.
@Suite("The page about jobs that run a program")
struct CommandJobsPageTests {
  private let database: TestDatabase
  private let folder: ScratchFolder
  private let page: String

  init() throws {
    (database, folder) = (try TestDatabase.migrated(), try ScratchFolder())
    page = try TextFile.read("docs/command-jobs.md")
  }

  /// The first job of the page, which as root is nobody's.
  private var firstJob: String {
    let parts = page.split(separator: "```toml\n").dropFirst()
    let job = String(parts.first?.split(separator: "```").first ?? "")
    return job + (geteuid() == 0 ? "command_user = \"nobody\"\n" : "")
  }

  private func worker(_ line: String, with jobs: String) throws -> Program {
    let settings = "[database]\nurl = \"\(database.url)\"\n\(jobs)"
    let file = try folder.write(settings, to: "worker.toml", mode: 0o644)
    return try Program(
      shell: "\"$PROGRAM\" \(line)",
      variables: ["WORKER_CONFIG": file, "TZDIR": TestEnvironment.zoneinfo, "USER": "ana"])
  }

  @Test func `the first job is checked, tried and run by the lines that are shown`() throws {
    let lines = page.split(separator: "\n## ")[0].split(separator: "\n")
      .filter { $0.hasPrefix("    worker ") }
      .map { String($0.dropFirst(11)) }
    let said = try lines.map { line in
      let program = try worker(line, with: firstJob)
      #expect(program.exitCode == 0, "\(line): \(program.errors)")
      return program.output
    }

    try #require(said.count == 3)
    #expect(said[0].contains("day_report") && said[0].hasSuffix("\nno problem\n"))
    #expect(
      said[1].contains(/would succeed: runs \/bin\/echo 'the report of' \d{4}-\d\d-\d\d/))
    #expect(try database.connect().run("SELECT count(*) FROM jobkit.output").only[0] == 1)
  }

  @Test func `what a program printed is shown with its run`() throws {
    let jobs = firstJob.replacing(
      "\"/bin/echo\"", with: "\"/bin/sh\", \"-c\", \"echo one; printf 'two\\\\033'\"")
    _ = try worker("run day_report", with: jobs)

    let text = try worker("show 1", with: jobs)
    let json = try worker("show 1 --json", with: jobs)

    #expect(text.output.hasSuffix("\npart 0 printed at the end:\n  one\n  two\\u{1B}\n"))
    #expect(json.output.contains("\"text\": \"one\\ntwo\\u001b\""))
  }

  @Test func `each line that a program prints is logged, with its job, run, part and stream`()
    throws
  {
    let jobs = firstJob.replacing(
      "\"/bin/echo\"",
      with: "\"/bin/sh\", \"-c\", \"echo one; echo two words >&2; printf three\"")

    let run = try worker("run day_report", with: "[log]\nformat = \"logfmt\"\n" + jobs)

    let lines = run.errors.split(separator: "\n").filter { $0.contains("says: ") }
      .map { String($0.drop { $0 != " " }) }
    let fields = "job=day_report run=1 part=0"
    #expect(
      lines.sorted() == [
        " level=info msg=\"says: one\" \(fields) stream=stdout",
        " level=info msg=\"says: three\" \(fields) stream=stdout",
        " level=info msg=\"says: two words\" \(fields) stream=stderr",
      ])
  }

  @Test func `a job whose program fails ends a run by hand with its reason`() throws {
    let jobs = firstJob.replacing("\"/bin/echo\"", with: "\"/bin/ls\", \"/nowhere\"")

    let run = try worker("run day_report", with: jobs)

    #expect(run.exitCode == 1)
    #expect((run.output + run.errors).contains("exit 2: "))
  }

  @Test func `what is wrong with a job ends a check with 78, with line and column`() throws {
    let jobs = firstJob.replacing("\":day\"", with: "\":date\"")
    let check = try worker("check", with: jobs)

    #expect(check.exitCode == 78)
    #expect(
      check.errors.contains(
        ":5:42: 'jobs.day_report.command' has ':date', which stands for nothing"))
  }
}
