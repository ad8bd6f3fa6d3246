import Postgres
import TestSupport
import Testing

/// Values as Postgres sees them: each is sent, compared there with what SQL calls it, and read back.
@Suite struct ValueTests {
  private func travels<Value: PostgresValue & Equatable>(
    _ value: Value, as sql: String, location: SourceLocation = #_sourceLocation
  ) throws {
    let connection = try TestDatabase.connectToShared()

    let row = try connection.run(
      """
      SELECT \(value) IS NOT DISTINCT FROM (\(verbatim: sql)) AS same, (\(verbatim: sql)) AS back
      """
    ).only
    let same = try row["same", as: Bool.self]
    let back = try row["back", as: Value.self]

    #expect(same, "\(value) is not \(sql)", sourceLocation: location)
    #expect(back == value, sourceLocation: location)
  }

  @Test func `numbers travel without loss`() throws {
    try travels(true, as: "true")
    try travels(false, as: "false")
    try travels(Int.max, as: "9223372036854775807")
    try travels(Int.min, as: "(-9223372036854775808)::bigint")
    try travels(Int32.min, as: "(-2147483648)::integer")
    try travels(Int16.max, as: "32767::smallint")
    try travels(0.1, as: "0.1::float8")
    try travels(-Double.infinity, as: "'-Infinity'::float8")
  }

  @Test func `a wider Swift type reads a narrower column`() throws {
    let connection = try TestDatabase.connectToShared()

    let row = try connection.run("SELECT 7::int2 AS a, -7::int4 AS b, 0.5::float4 AS c").only
    let values: (Int, Int, Int32, Int32, Double) = try (
      row["a"], row["b"], row["a"], row["b"], row["c"]
    )

    #expect(values == (7, -7, 7, -7, 0.5))
  }

  @Test func `text travels as it is`() throws {
    try travels("", as: "''::text")
    try travels("käse 🧀 'quoted' \\ \n", as: "E'k\u{e4}se 🧀 ''quoted'' \\\\ \\n'::text")
    try travels(JSONText(#"{"a": 1}"#), as: #"'{"a":1}'::jsonb"#)
    try travels(Bytes([0, 1, 255]), as: #"'\x0001ff'::bytea"#)
    try travels(Bytes([]), as: "''::bytea")
  }

  @Test(arguments: ["'x'::varchar", "'x'::char(1)", "'x'::name", "'x'", "'x'::text"])
  func `every kind of text is read as String`(sql: String) throws {
    let connection = try TestDatabase.connectToShared()

    let text = try connection.value("SELECT \(verbatim: sql)", as: String.self)

    #expect(text == "x")
  }

  @Test func `JSON is read as text`() throws {
    let connection = try TestDatabase.connectToShared()

    let row = try connection.run("SELECT '[1]'::json AS a, '[1]'::jsonb AS b").only
    let texts: [String] = try [row["a"], row["b"], row["a", as: JSONText.self].text]

    #expect(texts == ["[1]", "[1]", "[1]"])
  }

  @Test func `instants and days travel to the microsecond`() throws {
    try travels(Timestamp(microsecondsSince1970: 0), as: "'1970-01-01 00:00Z'::timestamptz")
    try travels(
      Timestamp(microsecondsSince1970: -1), as: "'1969-12-31 23:59:59.999999Z'::timestamptz")
    try travels(Timestamp(secondsSince1970: 1_772_953_200), as: "'2026-03-08 07:00Z'::timestamptz")
    try travels(
      Timestamp(microsecondsSince1970: -210_866_803_200_000_000),
      as: "'4714-11-24 00:00Z BC'::timestamptz")
    try travels(Day(daysSince1970: 0), as: "'1970-01-01'::date")
    try travels(Day(daysSince1970: 20_520), as: "'2026-03-08'::date")
    try travels(Day(daysSince1970: -2_440_588), as: "'4714-11-24 BC'::date")
    try travels(Day(daysSince1970: 2_145_042_905 - 364), as: "'5874897-01-01'::date")
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999999Z"),
    (1_772_953_200_000_001, "2026-03-08T07:00:00.000001Z"),
    (951_782_400_000_000, "2000-02-29T00:00:00Z"),
    (-62_135_596_800_000_000, "0001-01-01T00:00:00Z"),
  ])
  func `an instant prints as UTC`(microseconds: Int, text: String) {
    #expect(Timestamp(microsecondsSince1970: microseconds).description == text)
  }

  @Test func `a day prints as Postgres prints it, for every day of 800 years`() throws {
    let connection = try TestDatabase.connectToShared()

    let rows = try connection.run(
      "SELECT d, d::text AS text FROM (SELECT date '1600-01-01' + i AS d FROM generate_series(0, 292193) i) s"
    )
    let wrong = try rows.first { row in
      try row["d", as: Day.self].description != row["text", as: String.self]
    }

    #expect(wrong == nil)
    #expect(rows.count == 292_194)
  }

  @Test func `a UUID travels and prints`() throws {
    let uuid = try #require(PostgresUUID("6BA7B810-9dad-11d1-80b4-00c04fd430c8"))

    try travels(uuid, as: "'6ba7b810-9dad-11d1-80b4-00c04fd430c8'::uuid")
    #expect(uuid.description == "6ba7b810-9dad-11d1-80b4-00c04fd430c8")
    #expect(PostgresUUID.random() != PostgresUUID.random())
  }

  @Test(arguments: [
    "", "6ba7b810", "6ba7b8109dad11d180b400c04fd430c8", "6ba7b810-9dad-11d1-80b4-00c04fd430cg",
    "+ba7b810-9dad-11d1-80b4-00c04fd430c8", "6ba7b810-9dad-11d1-80b4-00c04fd430c80",
  ])
  func `what is no UUID is none`(text: String) {
    #expect(PostgresUUID(text) == nil)
  }

  @Test func `a random UUID is of version 4`() throws {
    let characters = Array(PostgresUUID.random().description)

    #expect(characters[14] == "4")
    #expect("89ab".contains(characters[19]))
  }

  @Test func `arrays of each type travel`() throws {
    try travels([1, -1, Int.max], as: "ARRAY[1, -1, 9223372036854775807]")
    try travels([Int](), as: "ARRAY[]::bigint[]")
    try travels(["a", "", "ü"], as: "ARRAY['a', '', 'ü']::text[]")
    try travels([Timestamp(secondsSince1970: 0)], as: "ARRAY['1970-01-01Z'::timestamptz]")
    try travels([Day(daysSince1970: 1)], as: "ARRAY['1970-01-02'::date]")
    try travels([true, false], as: "ARRAY[true, false]")
    try travels([JSONText("[1]")], as: "ARRAY['[1]'::jsonb]")
    try travels(
      [PostgresUUID(high: 0, low: 1)], as: "ARRAY['00000000-0000-0000-0000-000000000001'::uuid]")
    try travels([0.5, -2], as: "ARRAY[0.5, -2]::float8[]")
    try travels([Bytes([1]), Bytes([])], as: #"ARRAY['\x01', '']::bytea[]"#)
    try travels([Int32(1)], as: "ARRAY[1]")
  }

  @Test func `NULL travels where the type has a place for it`() throws {
    try travels(Int?.none, as: "NULL::bigint")
    try travels(Int?.some(1), as: "1::bigint")
    try travels([1, nil, 3], as: "ARRAY[1, NULL, 3]::bigint[]")
    try travels([String?.none], as: "ARRAY[NULL]::text[]")
    try travels([Int]?.none, as: "NULL::bigint[]")
  }

  @Test func `an array carries a batch of 100,000`() throws {
    let connection = try TestDatabase.connectToShared()
    let ids = Array(1...100_000)
    let names = ids.map { $0 % 7 == 0 ? nil : "n\($0)" }

    let row = try connection.run(
      """
      SELECT count(*) AS count, count(name) AS named, sum(id)::bigint AS sum, array_agg(id) AS ids
      FROM unnest(\(ids), \(names)) AS batch (id, name)
      """
    ).only
    let numbers: [Int] = try [row["count"], row["named"], row["sum"]]
    let back: [Int] = try row["ids"]

    #expect(numbers == [100_000, 100_000 - 14_285, 5_000_050_000])
    #expect(back == ids)
  }

  @Test func `an enum with raw values is a value`() throws {
    enum State: String, PostgresValue { case due, running }

    try travels(State.due, as: "'due'::text")
    try travels([State.due, .running], as: "ARRAY['due', 'running']")
    let error = refusal {
      try TestDatabase.connectToShared().value("SELECT 'lost' AS s", as: State.self)
    }

    #expect(
      error?.description
        == "cannot read column 's' (text) as State in 'SELECT 'lost' AS s': it holds 'lost'")
  }
}
