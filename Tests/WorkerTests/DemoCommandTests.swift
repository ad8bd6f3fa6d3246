import Postgres
import TestSupport
import Testing

@Suite("worker demo")
struct DemoCommandTests {
  private let database: TestDatabase
  private let folder: ScratchFolder

  init() throws {
    database = try TestDatabase.migrated()
    folder = try ScratchFolder()
    _ = try folder.write("[database]\nurl = \"\(database.url)\"\n", to: "worker.toml", mode: 0o644)
  }

  private func worker(_ words: String...) throws -> Program {
    try Program(
      words: words,
      variables: [
        "WORKER_CONFIG": folder.path + "/worker.toml", "TZDIR": try TestEnvironment.zoneinfo,
      ])
  }

  @Test func `data says what it has made up`() throws {
    let program = try worker(
      "demo", "data", "--learners", "20", "--days", "10", "--until", "2026-03-01")

    let users = try database.connect().run("SELECT count(*) FROM learning.users").only[
      0, as: Int.self]
    #expect(users == 20)
    #expect(
      program.output.hasPrefix("made up, as of 2026-03-01T00:00:00Z: 40 patterns, 20 users, "))
    #expect(program.exitCode == 0)
  }

  @Test func `for machines it says the same in JSON`() throws {
    let program = try worker(
      "demo", "data", "--learners", "20", "--until", "2026-03-01", "--seed", "3", "--json")

    #expect(program.output.contains(#""as_of": "2026-03-01T00:00:00Z""#))
    #expect(program.output.contains(#""users": 20"#))
  }

  @Test func `a second world in the same database is refused`() throws {
    _ = try worker("demo", "data", "--learners", "5")

    let program = try worker("demo", "data", "--learners", "5")

    #expect(
      program.errors
        == "worker: there are rows in 'learning.patterns': made-up learners go into a database of"
        + " their own; make an empty one, run 'worker migrate up' there, and try again\n")
    #expect(program.exitCode == 65)
  }

  @Test func `what cannot be read is refused before anything is made`() throws {
    let program = try worker("demo", "data", "--learners", "many")
    let other = try worker("demo", "rows")

    #expect(
      program.errors
        == "worker: '--learners many': write a whole number from 1 to 100000000;"
        + " 'worker demo --help' shows what can be written\n")
    #expect(program.exitCode == 64)
    #expect(
      other.errors
        == "worker: 'rows': write 'data' or 'play'; 'worker demo --help' shows what can be"
        + " written\n")
  }
}
