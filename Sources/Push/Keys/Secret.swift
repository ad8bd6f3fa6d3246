/// Bytes that nobody may see, such as a private key: they print as nothing.
public struct Secret: Sendable, Equatable {
  /// The bytes themselves, for what signs with them alone.
  let bytes: [UInt8]

  public init(_ bytes: some Collection<UInt8>) {
    self.bytes = Array(bytes)
  }

  public init(_ text: String) {
    self.init(text.utf8)
  }

  /// The text that the bytes spell, or nothing.
  var text: String? { String(validating: bytes, as: UTF8.self) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "…" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
