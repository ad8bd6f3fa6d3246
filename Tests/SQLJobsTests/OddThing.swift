import TestSupport

/// A row that is odd in some columns, and like any other in the rest: values as SQL, by column.
struct OddThing: Sendable {
  let odd: [(column: String, value: String)]

  /// Every odd value of every column by itself, and some columns that chance has put together.
  static func all(seed: UInt64) -> [OddThing] {
    var random = SplitMix(state: seed)
    let alone = values.flatMap { column, values in
      values.map { OddThing(odd: [(column: column, value: $0)]) }
    }
    let mixed = (0..<60).map { _ in chance(&random) }
    return alone + mixed
  }

  private static func chance(_ random: inout SplitMix) -> OddThing {
    let columns = values.shuffled(using: &random).prefix(Int.random(in: 2...5, using: &random))
    return OddThing(
      odd: columns.compactMap { column, values in
        values.randomElement(using: &random).map { (column: column, value: $0) }
      })
  }

  /// The ends of each type, what lies beside them, and what an app can write and hardly ever does.
  private static let values: [(column: String, values: [String])] = [
    ("thing_id", typed("bigint", integers)), ("label", typed("text", shortTexts)),
    ("made_at", typed("timestamptz", instants)), ("amount", typed("numeric", numbers)),
    ("token", typed("uuid", uuids)), ("small", typed("integer", smallIntegers)),
    ("ratio", typed("float8", fractions)), ("facts", typed("jsonb", documents)),
    ("zone", typed("text", zones + shortTexts)), ("due_on", typed("date", dates)),
    ("note", typed("text", shortTexts + longTexts + ["NULL"])),
    ("received_at", typed("timestamptz", instants)),
    ("written_in", typed("bigint", integers + ["NULL"])),
  ]

  private static func typed(_ type: String, _ values: [String]) -> [String] {
    values.map { "(\($0))::\(type)" }
  }

  private static let integers = [
    "'-9223372036854775808'", "'-9223372036854775807'", "-1025", "-1", "0", "1",
    "'9223372036854775806'", "'9223372036854775807'",
  ]

  private static let smallIntegers = ["'-2147483648'", "-1", "0", "'2147483647'", "NULL"]

  private static let numbers = [
    "'-Infinity'", "'Infinity'", "'NaN'", "'1e131071'", "'-1e131071'", "'1e-16383'", "'-1e-16383'",
    "0", "'0.000'", "'12345678901234567890.123456789'",
  ]

  private static let fractions = [
    "'-Infinity'", "'Infinity'", "'NaN'", "'-0'", "'1.7976931348623157e308'", "'5e-324'", "NULL",
  ]

  private static let instants = [
    "'4714-11-24 00:00:00Z BC'", "'294276-12-31 23:59:59.999999Z'", "'-infinity'", "'infinity'",
    "'0001-12-31 23:59:59.999999Z BC'", "'0001-01-01 00:00:00Z'", "'1969-12-31 23:59:59.999999Z'",
    "'2026-03-01 03:30:00Z'", "'2026-03-01 03:30:00.000001Z'", "'9999-12-31 00:00:00Z'",
  ]

  private static let dates = [
    "'4714-11-24 BC'", "'5874897-12-31'", "'-infinity'", "'infinity'", "'0001-12-31 BC'",
    "'1970-01-01'", "'2026-03-01'", "'2024-02-29'",
  ]

  private static let uuids = [
    "'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'",
  ]

  private static let documents = [
    "'null'", "'{}'", "'[]'", "'1e1000'", #"'"\u0001 \ud83d\ude00"'"#, "NULL",
    "repeat('[', 500) || repeat(']', 500)", "to_jsonb(repeat('x', 100000))",
  ]

  /// They fit into a key of an index.
  private static let shortTexts = [
    "''", "' '", "'NULL'", "'null'", "'{a,\"b\",NULL}'", "'\"'", "'''); DELETE FROM shop.thing;--'",
    #"E'\\ \\x \\'"#, #"E'\x01\x07\x1b[31m\x7f'"#, #"E'a\nb\r\tc'"#, "'\u{202E}\u{0301}\u{FEFF}'",
    "'e\u{0301}'", "'\u{E9}'", "'a' || repeat('\u{0301}', 500)", "repeat('\u{10FFFF}', 400)",
    "repeat('x', 2000)", "':moment :keys $1 %s {note}'", "'a/b'", "'chunks cut off'",
  ]

  private static let longTexts = ["repeat('\u{10FFFF}', 50000)", "repeat('y', 1000000)"]

  /// None of them is the name of a zone.
  private static let zones = [
    "'Europe/Nowhere'", "'asia/seoul'", "'XYZ+3'", "'../../etc/passwd'", "'/etc/localtime'",
    "'posix/UTC'", "'UTC '", "NULL",
  ]
}
