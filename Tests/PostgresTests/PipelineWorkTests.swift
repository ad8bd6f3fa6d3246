import Postgres
import TestSupport
import Testing

@Suite("Work that is done while a pipeline runs")
struct PipelineWorkTests {
  @Test func `the server is at the statements while the work is done`() throws {
    let database = try TestDatabase()
    let connection = try database.connect()
    let other = try database.connect()
    try other.run("CREATE TABLE door (id bigint)")
    try other.run("BEGIN")
    try other.run("LOCK TABLE door")

    var done: [Int] = []
    let rows = try connection.pipeline(["SELECT count(*) FROM door"], whileEach: 1...3) { number in
      if number == 2 {
        try eventually {
          try other.value(
            "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'door'::regclass)"
          )
        }
        try other.run("COMMIT")
      }
      done.append(number)
    }
    let count: Int = try rows[0].only[0]

    #expect(count == 0 && done == [1, 2, 3])
  }

  @Test func `rows that fill every buffer on their way come as they are`() throws {
    let connection = try TestDatabase.connectToShared()
    let filler = String(repeating: "x", count: 1000)

    var sum = 0
    let rows = try connection.pipeline(
      ["SELECT n, \(filler) FROM generate_series(1, 20000) AS n", "SELECT 7::bigint"],
      whileEach: 1...1000
    ) { sum += $0 }
    let seven: Int = try rows[1].only[0]

    #expect(rows[0].count == 20_000 && seven == 7 && sum == 500_500)
  }

  @Test func `an error of the work comes back when the statements have ended`() throws {
    let database = try TestDatabase()
    let connection = try database.connect()
    try connection.run("CREATE TABLE t (id bigint)")

    #expect(throws: Marker()) {
      try connection.pipeline(["INSERT INTO t VALUES (1)"], whileEach: 1...3) { number in
        if number == 2 { throw Marker() }
      }
    }
    let count: Int = try connection.value("SELECT count(*) FROM t")

    #expect(count == 1)
  }

  @Test func `an error of a statement is told when the work is done`() throws {
    let connection = try TestDatabase.connectToShared()

    var done = 0
    let error = refusal {
      try connection.pipeline(["SELECT 1 / 0"], whileEach: 1...3) { _ in done += 1 }
    }
    let one: Int = try connection.value("SELECT 1::bigint")

    #expect(error?.description == "division by zero (SQLSTATE 22012), in 'SELECT 1 / 0'")
    #expect(done == 3 && one == 1)
  }

  @Test func `the work cannot use the connection that is at the statements`() throws {
    let connection = try TestDatabase.connectToShared()

    let error = refusal {
      try connection.pipeline(["SELECT 1"], whileEach: 1...1) { _ in try connection.run("SELECT 2")
      }
    }

    #expect(
      error?.description
        == "'SELECT 2' cannot run while the same connection is at something else: "
        + "use a second connection, or read all rows first")
  }

  @Test func `without statements the work is done all the same`() throws {
    let connection = try TestDatabase.connectToShared()

    var done = 0
    let rows = try connection.pipeline([], whileEach: 1...3) { _ in done += 1 }

    #expect(rows.isEmpty && done == 3)
  }

  @Test func `each statement is made while the server is at the one before, however long it is`()
    throws
  {
    let database = try TestDatabase()
    let connection = try database.connect()
    let other = try database.connect()
    try other.run("BEGIN")
    try other.run("SELECT pg_advisory_xact_lock(1)")
    // Longer than what a socket holds: a server that has only a part of it has begun nothing.
    let word = String(repeating: "x", count: 2_000_000)

    let rows = try connection.run(forEach: 1...4) { number -> Statement? in
      switch number {
      case 1: return "SELECT length(\(word)) + count(pg_advisory_xact_lock(1))"
      case 2:
        try eventually {
          try other.value(
            """
            SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND locktype = 'advisory'
              AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
            """)
        }
        try other.run("COMMIT")
        return nil
      default: return "SELECT \(number)"
      }
    }

    #expect(try rows.map { try $0.only[0, as: Int.self] } == [2_000_001, 3, 4])
  }

  @Test func `after a statement that fails no other is run`() throws {
    let database = try TestDatabase()
    let connection = try database.connect()
    try connection.run("CREATE TABLE t (id bigint)")

    let error = refusal {
      try connection.run(forEach: [1, 0, 2]) { "INSERT INTO t VALUES (1 / \($0))" }
    }
    let count: Int = try connection.value("SELECT count(*) FROM t")

    #expect(error?.report?.sqlState == "22012" && count == 1)
  }
}
