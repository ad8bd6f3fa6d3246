import Postgres
import TestSupport
import Testing

@Suite struct StreamTests {
  @Test func `rows come one by one, in order`() throws {
    let connection = try TestDatabase.connectToShared()

    var ids = [Int]()
    try connection.stream("SELECT i AS id FROM generate_series(1, \(5)::bigint) i") { row in
      ids.append(try row["id"])
    }

    #expect(ids == [1, 2, 3, 4, 5])
  }

  @Test func `a stream without rows ends`() throws {
    let connection = try TestDatabase.connectToShared()

    var count = 0
    try connection.stream("SELECT 1 WHERE false") { _ in count += 1 }

    #expect(count == 0)
  }

  @Test(arguments: [false, true])
  func `a stream can end early, in a transaction and outside`(isInTransaction: Bool) throws {
    let connection = try TestDatabase.connectToShared()
    func firstRows(on connection: borrowing Connection) throws -> [Int] {
      var ids = [Int]()
      try connection.streamUntilEnough(
        "SELECT generate_series(1, 100000)::bigint AS id"
      ) { row in
        ids.append(try row["id"])
        return ids.count < 3 ? .more : .enough
      }
      try connection.run("SELECT 1")
      return ids
    }

    let ids =
      if isInTransaction {
        try connection.transaction { try firstRows(on: $0) }
      } else {
        try firstRows(on: connection)
      }

    #expect(ids == [1, 2, 3])
  }

  @Test func `an error behind the rows that were enough fails the transaction, and is told`() throws
  {
    let connection = try TestDatabase.connectToShared()

    let error = refusal {
      try connection.transaction { connection in
        try connection.streamUntilEnough("SELECT 1 / (2000 - i) FROM generate_series(1, 3000) i") {
          _ in .enough
        }
      }
    }

    #expect(error?.report?.sqlState == "22012")
  }

  @Test func `an error of the receiver comes back, and the connection goes on`() throws {
    let connection = try TestDatabase.connectToShared()

    // All of the rows would take hours.
    let (_, took) = timed {
      #expect(throws: Marker()) {
        try connection.stream(
          "SELECT generate_series(1, 100000000000)", within: .seconds(600)
        ) { _ in throw Marker() }
      }
    }
    let one: Int = try connection.value("SELECT 1::bigint")

    #expect(one == 1)
    #expect(took < .hang, "took \(took)")
  }

  @Test func `an error of the server comes after the rows before it`() throws {
    let connection = try TestDatabase.connectToShared()

    var count = 0
    let error = refusal {
      try connection.stream("SELECT 1 / (2000 - i) FROM generate_series(1, 3000) i") { _ in
        count += 1
      }
    }
    let one: Int = try connection.value("SELECT 1::bigint")

    #expect(
      error?.description
        == "division by zero (SQLSTATE 22012), in"
        + " 'SELECT 1 / (2000 - i) FROM generate_series(1, 3000) i'")
    #expect(count == 1999)
    #expect(one == 1)
  }

  @Test func `another statement inside a stream is refused`() throws {
    let connection = try TestDatabase.connectToShared()

    let error = refusal {
      try connection.stream("SELECT 1") { _ in try connection.run("SELECT 2") }
    }

    #expect(
      error?.description
        == "'SELECT 2' cannot run while the same connection is at something else: "
        + "use a second connection, or read all rows first")
  }

  @Test func `the limit of a stream is for each wait, not for all of it`() throws {
    let connection = try TestDatabase.connectToShared()

    var count = 0
    try connection.stream(
      "SELECT repeat('x', 20000), pg_sleep(0.1) FROM generate_series(1, 8)",
      within: .milliseconds(600)
    ) { _ in count += 1 }
    let error = refusal {
      try connection.stream("SELECT pg_sleep(60)", within: .milliseconds(100)) { _ in }
    }

    #expect(count == 8)
    #expect(error == .deadline(.milliseconds(100), statement: "SELECT pg_sleep(60)"))
  }
}
