import Postgres
import TestSupport
import Testing

@Suite struct RowTests {
  @Test func `rows are read by name and by place`() throws {
    let connection = try TestDatabase.connectToShared()

    let rows = try connection.run("SELECT i AS id, 'n' || i AS name FROM generate_series(1, 3) i")
    let byName = try rows.map { try "\($0["id", as: Int.self]) \($0["name", as: String.self])" }
    let byPlace = try rows.map { try $0[0, as: Int.self] }

    #expect(byName == ["1 n1", "2 n2", "3 n3"])
    #expect(byPlace == [1, 2, 3])
    #expect(rows.columnNames == ["id", "name"])
  }

  @Test func `a command says how many rows it touched`() throws {
    let connection = try TestDatabase.connectToSession()
    try connection.run("CREATE TEMP TABLE t (id bigint)")

    let inserted = try connection.run("INSERT INTO t SELECT generate_series(1, 5)").affected
    let deleted = try connection.run("DELETE FROM t WHERE id > \(2)").affected

    #expect([inserted, deleted] == [5, 3])
  }

  @Test func `rows outlive the connection they came from`() throws {
    func rows() throws -> Rows {
      try TestDatabase.connectToShared().run("SELECT 'kept' AS word")
    }

    let word = try rows().only["word", as: String.self]

    #expect(word == "kept")
  }

  @Test(arguments: [
    (
      "SELECT 1 AS n",
      "cannot read column 'n' (integer) as String in 'SELECT 1 AS n': read it as Int"
    ),
    (
      "SELECT 1.5 AS n",
      "cannot read column 'n' (numeric) as String in 'SELECT 1.5 AS n': "
        + "cast it to text, as in n::text"
    ),
    (
      "SELECT interval '1 day' AS n",
      "cannot read column 'n' (interval) as String in 'SELECT interval '1 day' AS n': "
        + "cast it to text, as in n::text"
    ),
    (
      "SELECT ARRAY[1] AS n",
      "cannot read column 'n' (integer[]) as String in 'SELECT ARRAY[1] AS n': read it as [Int]"
    ),
    (
      "SELECT NULL::text AS n",
      "cannot read column 'n' (text) as String in 'SELECT NULL::text AS n': "
        + "it is NULL; read it as String?, or let the statement return a value"
    ),
    (
      "SELECT 'x' AS m", "unexpected result: there is no column 'n', only 'm', in 'SELECT 'x' AS m'"
    ),
    (
      "SELECT 'x' AS n, 'y' AS n",
      "unexpected result: two columns are called 'n': name one of them with AS, in"
        + " 'SELECT 'x' AS n, 'y' AS n'"
    ),
    (
      "SELECT 'x' AS n WHERE false",
      "unexpected result: it has 0 rows, not one, in 'SELECT 'x' AS n WHERE false'"
    ),
  ])
  func `a column that cannot be read as text says why`(sql: String, message: String) throws {
    let connection = try TestDatabase.connectToShared()

    let error = refusal {
      try connection.run(Statement(verbatim: sql)).only["n", as: String.self]
    }

    #expect(error?.description == message)
  }

  @Test func `a number or an array that would lose something is not read`() throws {
    let connection = try TestDatabase.connectToShared()

    let narrow = refusal { try connection.value("SELECT 1::bigint AS n", as: Int32.self) }
    let hole = refusal { try connection.value("SELECT ARRAY[1, NULL] AS n", as: [Int].self) }
    let square = refusal { try connection.value("SELECT ARRAY[[1], [2]] AS n", as: [Int].self) }

    #expect(
      narrow?.description
        == "cannot read column 'n' (bigint) as Int32 in 'SELECT 1::bigint AS n': read it as Int")
    #expect(
      hole?.description
        == "cannot read column 'n' (integer[]) as Array<Int> in 'SELECT ARRAY[1, NULL] AS n': "
        + "an element of it is NULL")
    #expect(
      square?.description
        == "cannot read column 'n' (integer[]) as Array<Int> in 'SELECT ARRAY[[1], [2]] AS n': "
        + "it is an array of 2 dimensions")
  }

  @Test func `a time that is no instant and a date that is no day are not read`() throws {
    let connection = try TestDatabase.connectToShared()

    let local = refusal {
      try connection.value("SELECT timestamp '2026-01-01' AS n", as: Timestamp.self)
    }
    let late = refusal {
      try connection.value("SELECT 'infinity'::timestamptz AS n", as: Timestamp.self)
    }
    let early = refusal { try connection.value("SELECT '-infinity'::date AS n", as: Day.self) }

    #expect(
      local?.description
        == "cannot read column 'n' (timestamp without time zone) as Timestamp in "
        + "'SELECT timestamp '2026-01-01' AS n': cast it to text, as in n::text")
    #expect(
      late?.description
        == "cannot read column 'n' (timestamp with time zone) as Timestamp in "
        + "'SELECT 'infinity'::timestamptz AS n': it holds 'infinity', which is no instant")
    #expect(
      early?.description
        == "cannot read column 'n' (date) as Day in 'SELECT '-infinity'::date AS n': "
        + "it holds '-infinity', which is no day")
  }

  @Test func `a column that is not there is refused by its place`() throws {
    let connection = try TestDatabase.connectToShared()

    let error = refusal { try connection.run("SELECT 1").only[1, as: Int.self] }

    #expect(
      error?.description
        == "unexpected result: there is no column 1, only 1, counted from 0, in 'SELECT 1'")
  }

  @Test func `a value that Postgres cannot hold is not sent`() throws {
    let connection = try TestDatabase.connectToShared()

    let text = refusal { try connection.run("SELECT \(1), \("a\0b")") }
    let day = refusal { try connection.run("SELECT \(Day(daysSince1970: .max))") }
    let time = refusal { try connection.run("SELECT \(Timestamp(microsecondsSince1970: .min))") }
    let nested = refusal { try connection.run("SELECT \([[1]])") }

    #expect(
      text?.description
        == "cannot send parameter 2 of 'SELECT $1, $2': "
        + "text for Postgres cannot hold the character U+0000")
    #expect(
      day?.description
        == "cannot send parameter 1 of 'SELECT $1': "
        + "the day 9223372036854775807 since 1970 is outside the dates of Postgres")
    #expect(
      time?.description
        == "cannot send parameter 1 of 'SELECT $1': "
        + "-9223372036854775808 µs since 1970 is outside the times of Postgres")
    #expect(
      nested?.description
        == "cannot send parameter 1 of 'SELECT $1': there is no array of Array<Int> in Postgres")
  }

  @Test func `more parameters than the protocol has are refused before they are sent`() throws {
    let connection = try TestDatabase.connectToShared()
    let many = (0...65_535).map { "\($0)" as Statement }.joined(by: ",")

    let error = refusal { try connection.run("SELECT 1 IN (\n\(many))") }

    #expect(
      error?.description
        == "'SELECT 1 IN (' has 65536 parameters, more than 65535: send an array in one parameter")
  }
}
