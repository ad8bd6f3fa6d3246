import Glibc
import Postgres
import TestSupport
import Testing

/// What somebody types who has read nothing but the README, on an empty database.
@Suite("First steps")
struct FirstStepsTests {
  private let database: TestDatabase
  private let folder: ScratchFolder

  init() throws {
    (database, folder) = (try TestDatabase(), try ScratchFolder())
  }

  /// Runs lines of shell in the folder; `worker` is the program, and a daemon ends when it has started.
  private func run(_ lines: String) throws -> Program {
    let own = lines.replacing("postgresql:///worker", with: "\"\(database.url)\"")
      .replacing("worker daemon", with: Self.startAndEnd)
    return try Program(
      shell: "{ cd \(folder.path); ln -sf \"$PROGRAM\" worker; PATH=$PWD:$PATH; set -e; \(own)\n}",
      variables: ["TZDIR": TestEnvironment.zoneinfo, "PATH": "/usr/bin:/bin", "USER": "ana"])
  }

  private static let startAndEnd = """
    "$PROGRAM" daemon 2>log & until grep -qs started log; do kill -0 $! || exit 1; done; \
    kill -TERM $!; wait $!
    """

  /// The first block of a language below a heading.
  private func block(_ language: String, below heading: String) throws -> String {
    let section = try #require(TextFile.read("README.md").split(separator: "## \(heading)\n").last)
    let parts = section.split(separator: "```\(language)\n").dropFirst()
    return String(try #require(parts.first).split(separator: "```")[0])
  }

  @Test func `the README's first job in SQL is eight lines, is tried, runs and is explained`()
    throws
  {
    let settings = try block("toml", below: "A first job in SQL")
    #expect(settings.split(separator: "\n").count == 8)
    _ = try folder.write(settings, to: "worker.toml", mode: 0o644)

    let program = try run(try block("sh", below: "A first job in SQL"))

    #expect(program.exitCode == 0, "\(program.errors)")
    #expect(program.output.contains("would delete 71 rows in public.session"))
    #expect(program.output.contains("would leave the row id 17 of public.session"))
    #expect(try database.connect().run("SELECT count(*) FROM session").only[0] == 29)
  }

  @Test
  func `the README's first job that runs a program is five lines, is tried, runs and is shown`()
    throws
  {
    let settings = try block("toml", below: "A first job that runs a program")
    #expect(settings.split(separator: "\n").count == 5)
    let user = geteuid() == 0 ? "command_user = \"nobody\"\n" : ""
    _ = try folder.write(settings + user, to: "worker.toml", mode: 0o644)

    let program = try run(
      """
      export WORKER_CONFIG=worker.toml WORKER_DATABASE_URL=postgresql:///worker
      worker migrate up; worker run disk_report --dry-run; worker run disk_report; worker show 1
      """)

    #expect(program.exitCode == 0, "\(program.errors)")
    #expect(program.output.contains("would succeed: runs /bin/df -h /"))
    #expect(program.output.contains("part 0 printed at the end:\n  Filesystem"))
  }

  @Test func `what init writes for SQL runs by the lines that it says`() throws {
    let started = try run("worker init first")
    #expect(started.exitCode == 0, "\(started.errors)")
    #expect(
      started.output.contains("wrote first/worker.toml, first/example.sql, first/worker.conf"))
    let lines = started.output.split(separator: "\n").filter { $0.hasPrefix("  ") }
    try #require(lines.count == 9)

    let program = try run(lines.joined(separator: "\n"))

    #expect(program.exitCode == 0, "\(program.errors)")
    #expect(program.output.contains("no problem"))
    #expect(try database.connect().run("SELECT count(*) FROM session").only[0] == 29)
    let dropIn = try TextFile.read("\(folder.path)/first/worker.conf")
    #expect(
      dropIn.contains("[Service]\nEnvironment=WORKER_CONFIG=\(folder.path)/first/worker.toml\n"))
  }

  @Test func `what init writes for a program runs by the lines that it says`() throws {
    let started = try run("worker init --for command first")
    #expect(started.exitCode == 0, "\(started.errors)")
    #expect(started.output.contains("wrote first/worker.toml, first/worker.conf\n"))
    let lines = started.output.split(separator: "\n").filter { $0.hasPrefix("  ") }
    try #require(lines.count == 8)

    let program = try run(lines.joined(separator: "\n"))

    #expect(program.exitCode == 0, "\(program.errors)")
    #expect(program.output.contains("no problem"))
    #expect(
      program.output.contains(#/part 0 printed at the end:\n  the report of \d{4}-\d\d-\d\d/#))
    #expect(try database.connect().run("SELECT done FROM jobkit.part").only[0] == 3)
    let dropIn = try TextFile.read("\(folder.path)/first/worker.conf")
    #expect(
      dropIn.contains("[Service]\nEnvironment=WORKER_CONFIG=\(folder.path)/first/worker.toml\n"))
    #expect(dropIn.contains("\n#CapabilityBoundingSet=CAP_SETUID CAP_SETGID CAP_KILL\n"))
  }

  @Test func `init writes over nothing`() throws {
    #expect(
      try run("worker init first && echo '# mine' >>first/example.sql && rm first/worker.toml")
        .exitCode == 0)

    let second = try run("worker init first")

    #expect(second.exitCode == 75)
    #expect(
      second.errors.contains(
        "'first/example.sql' is there already, so nothing was written: name another folder, or move it away"
      ))
    #expect(try TextFile.read("\(folder.path)/first/example.sql").hasSuffix("# mine\n"))
    #expect(throws: Unwritable.self) { try TextFile.read("\(folder.path)/first/worker.toml") }
  }

  @Test func `what init writes for Swift is the package in Examples`() throws {
    #expect(try run("worker init --for swift mine").exitCode == 0)

    for file in [
      "Package.swift", "Sources/Drafts/DraftRules.swift", "Sources/Drafts/PurgeDrafts.swift",
      "Sources/drafts-worker/main.swift", "Tests/DraftsTests/PurgeDraftsTests.swift",
      "worker.toml", "example.sql",
    ] {
      let example = try TextFile.read("Examples/drafts/\(file)")
      #expect(try TextFile.read("\(folder.path)/mine/\(file)") == example, "\(file)")
    }
  }

  @Test func `the README shows the first lines of the example in Swift`() throws {
    #expect(
      try block("swift", below: "A first job in Swift")
        == TextFile.read("Examples/drafts/Sources/drafts-worker/main.swift"))
  }

  @Test func `init says what can be written`() throws {
    let program = try run("worker init --for cobol first")

    #expect(program.exitCode == 64)
    #expect(program.errors.contains("'--for cobol': write sql, command or swift"))
  }
}
