import Postgres
import TestSupport
import Testing

@Suite struct CopyTests {
  private let columns = ["id", "name", "at", "tags"]
  private let database = Result { try TestDatabase() }

  private func connection() throws -> Connection {
    let connection = try database.get().connect()
    let few: Statement = "CONSTRAINT few CHECK (id < 100000)"
    try connection.run(
      "CREATE TABLE item (id bigint PRIMARY KEY \(few), name text, at timestamptz, tags text[])")
    return connection
  }

  @Test func `rows go in and come out as they are`() throws {
    let connection = try connection()
    let at = Timestamp(microsecondsSince1970: 1)

    let written = try connection.copy(into: "item", columns: columns) { rows in
      for id in 1..<50_000 {
        try rows.write(id, id % 2 == 0 ? "n\(id)" : nil, at, ["a", nil])
      }
    }
    var sum = 0
    var names = [String?]()
    try connection.copy(rowsOf: "SELECT id, name, at, tags FROM item ORDER BY id") { row in
      sum += try row["id", as: Int.self]
      if names.count < 2 { names.append(try row["name"]) }
      #expect(try row["at"] == at)
      #expect(try row["tags"] == ["a", nil])
    }

    #expect(written == 49_999)
    #expect(sum == 49_999 * 25_000)
    #expect(names == [nil, "n2"])
  }

  @Test func `a COPY without rows is a COPY`() throws {
    let connection = try connection()

    let written = try connection.copy(into: "item", columns: columns) { _ in }
    var count = 0
    try connection.copy(rowsOf: "SELECT * FROM item") { _ in count += 1 }

    #expect([written, count] == [0, 0])
  }

  @Test func `text goes in and comes out as text`() throws {
    let connection = try connection()

    let written = try connection.copyIn("COPY item (id, name) FROM STDIN (FORMAT csv)") { feed in
      try feed.send("1,one\n2,")
      try feed.send(Array("two\n".utf8))
    }
    var lines = [String]()
    try connection.copyOut("COPY item (id, name) TO STDOUT (FORMAT csv)") { line in
      lines.append(String(decoding: line, as: UTF8.self))
    }

    #expect(written == 2)
    #expect(lines == ["1,one\n", "2,two\n"])
  }

  @Test(arguments: [3, 60_000])
  func `an error of the server, early or late, ends the COPY and names the constraint`(
    bad: Int
  ) throws {
    let connection = try connection()

    let error = refusal {
      try connection.copy(into: "item", columns: ["id", "name"]) { rows in
        for id in 1..<90_000 {
          try rows.write(id == bad ? 100_000 : id, "a name that fills the pipe")
        }
      }
    }
    let count: Int = try connection.value("SELECT count(*) FROM item")

    #expect(
      error?.description
        == "constraint 'few' on 'item' refuses it: "
        + "new row for relation \"item\" violates check constraint \"few\" (SQLSTATE 23514), in"
        + " 'COPY item (\"id\", \"name\") FROM STDIN (FORMAT binary)'")
    #expect(error?.report?.context?.hasPrefix("COPY item, line \(bad)") == true)
    #expect(count == 0)
  }

  @Test func `a COPY that goes on after the server's error is stopped by it`() throws {
    let connection = try connection()

    var written = 0
    let error = refusal {
      try connection.copyIn("COPY item (id) FROM STDIN") { feed in
        for id in 1..<10_000_000 {
          try feed.send(id == 10 ? "ten\n" : "\(id)\n")
          written += 1
        }
      }
    }
    let one: Int = try connection.value("SELECT 1::bigint")

    #expect(
      error?.description
        == "invalid input syntax for type bigint: \"ten\" (SQLSTATE 22P02), in"
        + " 'COPY item (id) FROM STDIN'")
    #expect(written < 5_000_000)
    #expect(one == 1)
  }

  @Test func `an error of the writer comes back, and nothing is written`() throws {
    let connection = try connection()

    #expect(throws: Marker()) {
      try connection.copy(into: "item", columns: ["id"]) { rows in
        for id in 1..<50_000 { try rows.write(id) }
        throw Marker()
      }
    }
    let count: Int = try connection.value("SELECT count(*) FROM item")

    #expect(count == 0)
  }

  @Test func `an error of the reader comes back, and the connection goes on`() throws {
    let connection = try connection()

    #expect(throws: Marker()) {
      try connection.copy(rowsOf: "SELECT generate_series(1, 100000000)") { _ in throw Marker() }
    }
    let one: Int = try connection.value("SELECT 1::bigint")

    #expect(one == 1)
  }

  @Test func `an error of the server while rows come out ends the COPY`() throws {
    let connection = try connection()

    var count = 0
    let error = refusal {
      try connection.copy(rowsOf: "SELECT 1 / (2000 - i) FROM generate_series(1, 3000) i") { _ in
        count += 1
      }
    }
    let one: Int = try connection.value("SELECT 1::bigint")

    #expect(
      error?.description
        == "division by zero (SQLSTATE 22012), in"
        + " 'COPY (SELECT 1 / (2000 - i) FROM generate_series(1, 3000) i…'")
    #expect(count == 1999)
    #expect(one == 1)
  }

  @Test func `a value that cannot be sent leaves its row out`() throws {
    let connection = try connection()

    var message: String?
    let written = try connection.copy(into: "item", columns: ["id", "name"]) { rows in
      try rows.write(1, "one")
      message = refusal { try rows.write(2, "a\0b") }?.description
      try rows.write(3, "three")
    }

    #expect(written == 2)
    #expect(
      message
        == "cannot send parameter 2 of 'COPY item (\"id\", \"name\") FROM STDIN (FORMAT binary)': "
        + "text for Postgres cannot hold the character U+0000")
  }

  @Test func `a value of another type than its column is refused by the server`() throws {
    let connection = try connection()

    let error = refusal {
      try connection.copy(into: "item", columns: ["id"]) { try $0.write(Int32(1)) }
    }

    #expect(
      error?.description
        == "incorrect binary data format (SQLSTATE 22P03), in"
        + " 'COPY item (\"id\") FROM STDIN (FORMAT binary)'"
        || error?.report?.sqlState == "08P01", "\(told(error))")
  }

  @Test func `a COPY that is run like a statement, or the wrong way, is refused`() throws {
    let connection = try connection()

    let messages = [
      refusal { try connection.run("COPY item FROM STDIN") },
      refusal { try connection.run("COPY (SELECT generate_series(1, 100000)) TO STDOUT") },
      refusal { try connection.copyIn("COPY item TO STDOUT") { _ in } },
      refusal { try connection.copyOut("COPY item FROM STDIN") { _ in } },
      refusal { try connection.copyOut("SELECT 1") { _ in } },
      refusal { try connection.copyOut("COPY (SELECT \(1)) TO STDOUT") { _ in } },
    ].map { $0?.description }
    let one: Int = try connection.value("SELECT 1::bigint")

    #expect(
      messages == [
        "'COPY item FROM STDIN' is a COPY: use copyIn or copyOut",
        "'COPY (SELECT generate_series(1, 100000)) TO STDOUT' is a COPY: use copyIn or copyOut",
        "'COPY item TO STDOUT' is no COPY in this direction",
        "'COPY item FROM STDIN' is no COPY in this direction",
        "'SELECT 1' is no COPY in this direction",
        "'COPY (SELECT $1) TO STDOUT' cannot have parameters",
      ])
    #expect(one == 1)
  }

  @Test func `a feed that was kept longer than its COPY is refused`() throws {
    let connection = try connection()
    var kept: CopyFeed?
    try connection.copyIn("COPY item (id) FROM STDIN") { feed in
      try feed.send("1\n")
      kept = feed
    }

    let error = refusal { try kept?.send(String(repeating: "2\n", count: 100_000)) }
    let one: Int = try connection.value("SELECT count(*) FROM item")

    #expect(
      error?.description == "'COPY item (id) FROM STDIN' has ended: nothing more can be sent")
    #expect(one == 1)
  }

  @Test func `a COPY into a server that hangs is given up in time`() throws {
    let server = try PrivateServer()
    var target = try Server(server.url())
    target.grace = .milliseconds(300)
    let connection = try Connection(to: target)
    try connection.run("CREATE TABLE item (id bigint)")

    let (error, took) = timed {
      refusal {
        try connection.copyIn("COPY item FROM STDIN", within: .milliseconds(200)) { feed in
          server.pause(connection.backendProcess)
          for _ in 0..<1_000_000 { try feed.send("12345678901234567\n") }
        }
      }
    }

    guard case .lost? = error else {
      Issue.record("\(told(error))")
      return
    }
    #expect(took < .hang, "took \(took)")
  }
}
