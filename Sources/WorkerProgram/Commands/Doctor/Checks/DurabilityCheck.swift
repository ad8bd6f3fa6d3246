internal import Postgres

/// Whether what is committed survives a crash of the server.
struct DurabilityCheck: DatabaseCheck {
  let name = "durability"

  func check(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
    let row = try connection.run(
      """
      SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
        current_setting('synchronous_commit') AS commits
      """
    ).only
    var seen: [Observation] = []
    for (name, setting) in [
      ("fsync", try row["fsync", as: String.self]), ("full_page_writes", try row["pages"]),
    ]
    where setting == "off" {
      seen.append(
        .problem(
          "\(name) is off: a crash of the host may destroy the whole database",
          why: "the ledger would be gone, and with it what was done and what was not",
          do: "switch it on in postgresql.conf and reload"
        ).excused(inDemonstration: Self.excuse))
    }
    if try row["commits", as: String.self] == "off" {
      seen.append(
        .warning(
          "synchronous_commit is off for this role: a crash of the server forgets the last moments",
          why: "a tick may be left without a row, and work be done twice",
          do:
            "ALTER ROLE … RESET synchronous_commit; claims of pushes are written durably in any case"
        ).excused(inDemonstration: Self.excuse))
    }
    return seen.orWell("what is committed is on the disk")
  }

  private static let excuse =
    "script/demo made this database, and switched that off: nobody misses what a crash takes"
}
