/// What a column can hold and hardly ever does: the ends of each type, and what lies beside them.
enum OddValues {
  /// The odd values of a column, as SQL; the least that its type has come first, and the greatest second.
  static func of(_ column: AppColumn) -> [String] {
    let values = ends(of: column.type) + column.named
    return values.map { $0 == "NULL" ? $0 : "\($0)::\(column.type)" }
      + (column.mayBeLeftOut ? ["NULL"] : [])
  }

  private static func ends(of type: String) -> [String] {
    switch type {
    case "bigint": integers(least: "-9223372036854775808", most: "9223372036854775807")
    case "integer": integers(least: "-2147483648", most: "2147483647")
    case "smallint": integers(least: "-32768", most: "32767")
    case "real", "double precision", "numeric": fractions
    case "boolean": ["false", "true"]
    case "date": dates
    case "interval": ["'-178000000 years'", "'178000000 years'", "'0'", "'1 mon -1 day'"]
    case "text": texts
    case "uuid":
      ["'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"]
    default: type.hasPrefix("timestamp") ? instants : []
    }
  }

  private static func integers(least: String, most: String) -> [String] {
    [
      "'\(least)'", "'\(most)'", "'\(least)'::numeric + 1", "'\(most)'::numeric - 1", "-1", "0",
      "1",
    ]
    .map { "(\($0))" }
  }

  private static let fractions = [
    "'-Infinity'", "'Infinity'", "'NaN'", "'-0'", "0", "1", "0.999999", "'1e-45'", "'1e-37'",
  ]

  private static let dates = [
    "'4714-11-24 BC'", "'5874897-12-31'", "'-infinity'", "'infinity'", "'4714-11-25 BC'",
    "'0001-12-31 BC'", "'0001-01-01'", "'9999-12-31'", "'1970-01-01'", "'2026-03-02'",
    "'2026-03-04'", "'2024-02-29'",
  ]

  private static let instants = [
    "'4714-11-24 00:00:00Z BC'", "'294276-12-31 23:59:59.999999Z'", "'-infinity'", "'infinity'",
    "'4714-11-24 00:00:00.000001Z BC'", "'4714-11-25 00:00:00Z BC'", "'0001-01-01 00:00:00Z'",
    "'0001-12-31 23:59:59.999999Z BC'", "'9999-12-31 00:00:00Z'", "'1970-01-01Z'",
    "'1969-12-31 23:59:59.999999Z'", "'2026-03-03 12:15:00.000001Z'", "'2026-03-03 12:30Z'",
    "'2026-03-02 12:00Z'",
  ]

  private static let texts = [
    "''", "repeat('\u{10FFFF}', 50000)", "' '", "repeat('x', 200)", "repeat('y', 1000000)",
    "E'\\x01\\x07\\x1b[31m\\x7f'", "E'a\\nb\\r\\tc'", "'\u{202E}\u{0301}\u{FEFF}'",
    "'{name} {streak} {pattern} %s $1'", "'\"}'']);--'", "'../../etc/passwd'", "'/etc/localtime'",
    "'asia/seoul'", "'Europe/Nowhere'", "'XYZ+3'", "'Pacific/Kiritimati'", "'Pacific/Pago_Pago'",
    "'Antarctica/Troll'", "'UTC'", "'C'", "'en_US.UTF-8'", "'zz-Zzzz-ZZ'", "'ko-KR'", "'overall'",
    "'session_completed'", "'bonus'", "'NaN'", "'-9223372036854775808'",
  ]
}
