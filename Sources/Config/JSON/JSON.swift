/// A JSON document, written by hand with literals and printed as text.
///
/// Members keep the order in which they were written, so that output reads as its author meant it
/// and two runs can be compared line by line.
public enum JSON: Sendable, Equatable {
  case null
  case boolean(Bool)
  case integer(Int)
  /// A number that is not finite prints as null: JSON has no word for it.
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  public struct Member: Sendable, Equatable {
    public let name: String
    public let value: JSON

    public init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  public init(dictionaryLiteral members: (String, JSON)...) {
    self = .object(members.map { Member($0.0, $0.1) })
  }
}

extension JSON {
  /// The text, or null when there is none.
  public init(_ text: String?) {
    self = text.map(JSON.string) ?? .null
  }

  /// The document on one line.
  public var compact: String {
    var writer = JSONWriter(indents: false)
    writer.write(self)
    return writer.text
  }

  /// The document with two spaces of indentation, one member a line.
  public var pretty: String {
    var writer = JSONWriter(indents: true)
    writer.write(self)
    return writer.text
  }
}
