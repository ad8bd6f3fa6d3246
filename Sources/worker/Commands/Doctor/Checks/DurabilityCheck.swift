internal import Postgres

/// Whether what is committed survives a crash of the server.
struct DurabilityCheck: DatabaseCheck {
  let name = "durability"
  let why = "a commit that a crash forgets is a tick without a row, or work that is done twice"

  func look(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
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
          do: "switch it on in postgresql.conf and reload"))
    }
    if try row["commits", as: String.self] == "off" {
      seen.append(
        .warning(
          "synchronous_commit is off for this role: a crash of the server forgets the last moments",
          do:
            "ALTER ROLE … RESET synchronous_commit; claims of pushes are written durably in any case"
        ))
    }
    return seen.orWell("what is committed is on the disk")
  }
}
