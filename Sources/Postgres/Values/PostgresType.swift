/// The type that Postgres gives a column or a parameter.
public struct PostgresType: Sendable, Hashable {
  /// The number by which Postgres knows the type.
  public let oid: UInt32

  /// The type that Postgres knows by `oid`.
  public init(oid: UInt32) {
    self.oid = oid
  }

  public static let bool = PostgresType(oid: 16)
  public static let bytea = PostgresType(oid: 17)
  public static let name = PostgresType(oid: 19)
  public static let int8 = PostgresType(oid: 20)
  public static let int2 = PostgresType(oid: 21)
  public static let int4 = PostgresType(oid: 23)
  public static let text = PostgresType(oid: 25)
  public static let json = PostgresType(oid: 114)
  public static let float4 = PostgresType(oid: 700)
  public static let float8 = PostgresType(oid: 701)
  public static let unknown = PostgresType(oid: 705)
  public static let bpchar = PostgresType(oid: 1042)
  public static let varchar = PostgresType(oid: 1043)
  public static let date = PostgresType(oid: 1082)
  public static let timestamp = PostgresType(oid: 1114)
  public static let timestamptz = PostgresType(oid: 1184)
  public static let numeric = PostgresType(oid: 1700)
  public static let uuid = PostgresType(oid: 2950)
  public static let jsonb = PostgresType(oid: 3802)
}

extension PostgresType {
  /// The array type whose elements have this type.
  public var array: PostgresType {
    PostgresType(oid: Self.arrays[oid]?.oid ?? 0)
  }

  /// The types that a Swift value can be read from, each with its array type and what reads it.
  private static let readers: [(type: PostgresType, name: String, array: UInt32, reader: String)] =
    [
      (.bool, "boolean", 1000, "Bool"),
      (.bytea, "bytea", 1001, "Bytes"),
      (.name, "name", 1003, "String"),
      (.int8, "bigint", 1016, "Int"),
      (.int2, "smallint", 1005, "Int"),
      (.int4, "integer", 1007, "Int"),
      (.text, "text", 1009, "String"),
      (.json, "json", 199, "JSONText"),
      (.float4, "real", 1021, "Double"),
      (.float8, "double precision", 1022, "Double"),
      (.unknown, "unknown", 0, "String"),
      (.bpchar, "character", 1014, "String"),
      (.varchar, "character varying", 1015, "String"),
      (.date, "date", 1182, "Day"),
      (.timestamptz, "timestamp with time zone", 1185, "Timestamp"),
      (.uuid, "uuid", 2951, "PostgresUUID"),
      (.jsonb, "jsonb", 3807, "JSONText"),
    ]

  private static let names: [UInt32: String] = {
    var names = [UInt32: String]()
    for entry in readers {
      names[entry.type.oid] = entry.name
      names[entry.array] = entry.name + "[]"
    }
    names.merge([
      18: "\"char\"", 26: "oid", 650: "cidr", 790: "money", 869: "inet", 1083: "time",
      1114: "timestamp without time zone", 1186: "interval", 1231: "numeric[]", 1266: "timetz",
      1700: "numeric", 2249: "record", 2278: "void",
    ]) { known, _ in known }
    return names
  }()

  private static let arrays = [UInt32: PostgresType](
    uniqueKeysWithValues: readers.map { ($0.type.oid, PostgresType(oid: $0.array)) })

  /// The type of the elements when this is a type of arrays, or nil.
  var element: PostgresType? {
    Self.elements[oid]
  }

  private static let elements = [UInt32: PostgresType](
    readers.map { ($0.array, $0.type) }, uniquingKeysWith: { one, _ in one })

  private static let swiftNames: [UInt32: String] = {
    var swiftNames = [UInt32: String]()
    for entry in readers {
      swiftNames[entry.type.oid] = entry.reader
      swiftNames[entry.array] = "[\(entry.reader)]"
    }
    return swiftNames
  }()

  /// The Swift type that reads this type without loss, or nil when none does.
  var swiftName: String? {
    Self.swiftNames[oid]
  }
}

extension PostgresType: CustomStringConvertible {
  /// The name by which SQL knows the type.
  public var description: String {
    Self.names[oid] ?? "type \(oid)"
  }
}
