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
}
