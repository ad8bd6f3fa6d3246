/// One header of a request or of an answer; its name is in lower case.
public struct HeaderField: Sendable, Equatable {
  public let name: String
  public let value: String

  /// Whether no other request has the same value, so that the compressor's small table is not filled with it.
  public let isUnique: Bool

  public init(_ name: String, _ value: String, isUnique: Bool = false) {
    (self.name, self.value, self.isUnique) = (name, value, isUnique)
  }
}
