import Glibc
import Postgres

/// Prints how fast a million rows of (int8, text, timestamptz) come out of the server at `target`.
///
/// Each way is tried three times and the best counts. The memory is the most that the process has
/// had so far, so the ways that stream come first.
func measurePostgres(target: String) throws {
  let count = 1_000_000
  let connection = try Connection(to: Server(target))
  let query: Statement = """
    SELECT i::bigint AS id, 'a text of about forty characters, ' || i AS name,
      '2026-01-01Z'::timestamptz + i * interval '1 second' AS at
    FROM generate_series(1, \(verbatim: "\(count)")) i
    """
  try connection.run("CREATE TEMP TABLE measured AS \(query)", within: .seconds(300))
  let table: Statement = "SELECT id, name, at FROM measured"
  var sum = Checksum()
  try report("stream", count) { try connection.stream(table) { try sum.add($0) } }
  try report("copy out", count) { try connection.copy(rowsOf: table) { try sum.add($0) } }
  try measureWriting(count, on: connection)
  try report("all rows", count) { for row in try connection.run(table) { try sum.add(row) } }
  print("checksum \(sum.value)")
  try measureRoundTrips(on: connection)
}

private func measureWriting(_ count: Int, on connection: borrowing Connection) throws {
  try connection.run("CREATE TEMP TABLE written (id bigint, name text, at timestamptz)")
  try report("copy in", count) {
    try connection.copy(into: "written", columns: ["id", "name", "at"]) { rows in
      for id in 1...count {
        try rows.write(
          id, "a text of about forty characters, 123456", Timestamp(secondsSince1970: id))
      }
    }
    try connection.run("TRUNCATE written")
  }
}

private func measureRoundTrips(on connection: borrowing Connection) throws {
  try report("run", 20_000) {
    for id in 1...20_000 { try connection.run("SELECT \(id)") }
  }
  try report("pipelines of 100", 20_000) {
    for _ in 1...200 { try connection.pipeline((1...100).map { "SELECT \($0)" }) }
  }
}

/// Keeps the compiler from leaving out what is measured.
private struct Checksum {
  var value = 0

  mutating func add(_ row: Row) throws {
    value &+= try row[0, as: Int.self]
    value &+= try row[1, as: String.self].utf8.count
    value &+= try row[2, as: Timestamp.self].microsecondsSince1970
  }
}

private func report(_ name: String, _ count: Int, _ work: () throws -> Void) throws {
  let clock = ContinuousClock()
  let best = try (1...3).map { _ in try clock.measure(work) }.min() ?? .zero
  let seconds = Double(best.components.attoseconds) / 1e18 + Double(best.components.seconds)
  print("\(name): \(Int(Double(count) / seconds)) rows/s, \(peakMemory()) MB at most")
}

/// The most memory that the process has had, in megabytes.
private func peakMemory() -> Int {
  var usage = rusage()
  unsafe getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_maxrss / 1024
}
