/// What a provider's JSON document says.
package enum JSONValue: Sendable, Equatable {
  case null
  case boolean(Bool)
  /// As it is written: providers count milliseconds, which need not pass through a fraction.
  case number(String)
  case text(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// What a document says, or nothing when it is none.
  package init?(_ bytes: [UInt8]) {
    var reader = JSONReader(bytes)
    guard let value = reader.document() else { return nil }
    self = value
  }

  /// The member of that name, when this is an object that has one.
  package subscript(_ name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  package var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  package var integer: Int? {
    if case .number(let digits) = self { Int(digits) } else { nil }
  }

  package var array: [JSONValue] {
    if case .array(let values) = self { values } else { [] }
  }
}

extension String {
  /// The text in quotes as JSON wants it.
  var inJSON: String {
    "\"" + unicodeScalars.map(\.inJSON).joined() + "\""
  }
}

extension Unicode.Scalar {
  fileprivate var inJSON: String {
    switch self {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\u{0}"..."\u{1f}":
      "\\u" + String(repeating: "0", count: value < 16 ? 3 : 2) + String(value, radix: 16)
    default: String(self)
    }
  }
}
