import TestSupport
import Testing

@Suite("What worker simulate refuses")
struct SimulateRefusalTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    _ = try folder.write(
      """
      [database]
      url = "\(try TestEnvironment.server) dbname=postgres"
      [time]
      zone = "America/New_York"
      """, to: "worker.toml", mode: 0o644)
  }

  private var variables: [String: String] {
    get throws {
      ["WORKER_CONFIG": folder.path + "/worker.toml", "TZDIR": try TestEnvironment.zoneinfo]
    }
  }

  @Test(arguments: [
    (
      ["--from", "2026-03-09", "--to", "2026-03-08"],
      "'--to 2026-03-08': it must lie after --from, 2026-03-09T04:00:00Z"
    ),
    (
      ["--from", "soon", "--to", "2026-03-08"],
      "'--from soon': write 2026-03-08T07:00:00Z, a local date or time such as 2026-03-08 or"
        + " '2026-03-08 02:00', yesterday, today, tomorrow, or a while ago such as 2h"
    ),
  ])
  func `a range that cannot be read is refused with what to write`(
    words: [String], sentence: String
  ) throws {
    let program = try Program(words: ["simulate"] + words, variables: variables)

    #expect(
      program.errors == "worker: \(sentence); 'worker simulate --help' shows what can be written\n")
    #expect(program.exitCode == 64)
  }

  @Test(arguments: [
    (
      "postgresql://ana:secret@db/empty",
      "it holds a password, which everybody on this host can read: put that in a file and name it in"
        + " 'database.password_file'"
    ),
    (
      "empty", "write a URL such as postgresql:///empty, or words such as 'host=db dbname=empty'"
    ),
  ])
  func `an address that cannot be used is refused and not repeated`(
    url: String, objection: String
  ) throws {
    let program = try Program(
      words: ["simulate", "--from", "2026-03-08", "--to", "2026-03-09", "--database", url],
      variables: variables)

    #expect(program.errors == "worker: '--database' cannot be used: \(objection)\n")
    #expect(program.exitCode == 64)
  }
}
