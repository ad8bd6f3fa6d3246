extension String: PostgresValue {
  public static var postgresType: PostgresType { .text }

  public static func reads(_ type: PostgresType) -> Bool {
    switch type {
    case .text, .varchar, .bpchar, .name, .unknown, .json, .jsonb: true
    default: false
    }
  }

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    self = type == .jsonb ? try JSONText(reading: bytes, of: type).text : bytes.text()
  }

  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    let start = bytes.count
    bytes.append(contentsOf: utf8)
    guard !bytes[start...].contains(0) else {
      throw .invalid("text for Postgres cannot hold the character U+0000")
    }
  }
}
