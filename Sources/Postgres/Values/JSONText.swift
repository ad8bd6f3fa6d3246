/// JSON as text, for a column of type jsonb or json.
public struct JSONText: Sendable, Hashable {
  public var text: String

  /// The value that carries `text`, which Postgres checks.
  public init(_ text: String) {
    self.text = text
  }
}

extension JSONText: PostgresValue {
  public static var postgresType: PostgresType { .jsonb }

  /// The only version of the binary format of jsonb so far.
  private static let version: UInt8 = 1

  public static func reads(_ type: PostgresType) -> Bool {
    type == .jsonb || type == .json
  }

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    guard type == .jsonb else {
      text = bytes.text()
      return
    }
    guard bytes.byteCount > 0, bytes.integer(as: UInt8.self) == Self.version else {
      throw .invalid("it has a format of jsonb that this program does not know")
    }
    text = bytes.text(from: 1)
  }

  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    bytes.append(Self.version)
    try text.write(to: &bytes)
  }
}
