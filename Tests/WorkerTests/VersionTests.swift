internal import TestSupport
import Testing

@Suite("worker version")
struct VersionTests {
  @Test func `it names the program, its commit, Swift, libpq and the zone data`() throws {
    let program = try Program("version")

    let names = program.output.split(separator: "\n").map { $0.split(separator: " ")[0] }
    #expect(names == ["worker", "commit", "swift", "libpq", "tzdata"])
    #expect(program.errors.isEmpty)
    #expect(program.exitCode == 0)
  }

  @Test func `its JSON is one object with a member for each part`() throws {
    let program = try Program("version", "--json")

    for name in ["version", "commit", "swift", "libpq", "tzdata"] {
      #expect(program.output.contains("  \"\(name)\": \""))
    }
    #expect(program.exitCode == 0)
  }

  @Test func `missing zone data is said, not fatal`() throws {
    let program = try Program("version", "--json", variables: ["TZDIR": "/no/such/folder"])

    #expect(program.output.contains("\"tzdata\": \"missing\""))
    #expect(program.exitCode == 0)
  }

  @Test func `neither it nor the ticks of a schedule wait for libpq, and what needs it says so`()
    throws
  {
    let folder = try ScratchFolder()
    try folder.write("no library", to: "libpq.so.5")
    let settings = try folder.write(
      "[database]\nurl = \"host=127.0.0.1\"\n", to: "worker.toml", mode: 0o644)
    let variables = ["LD_LIBRARY_PATH": folder.path]

    let version = try Program("version", variables: variables)
    let next = try Program("next", "--schedule", "0 9 * * *", variables: variables)
    let schema = try Program("migrate", "status", "--config", settings, variables: variables)

    #expect(version.exitCode == 0)
    #expect(next.exitCode == 0)
    #expect(schema.errors.contains("libpq cannot be loaded, install Debian's libpq5: "))
    #expect(schema.exitCode == 78)
  }
}
