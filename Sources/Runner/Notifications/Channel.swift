/// A way on which messages reach people: a program that is run, a URL that is posted to.
public protocol Channel: Sendable {
  /// What the ledger calls it, such as "webhook".
  var name: String { get }

  /// What people call it; nothing secret is in it.
  var label: String { get }

  /// Tells a message and returns when it is told, or throws why it is not; takes a bounded time.
  func deliver(_ message: WrittenMessage) throws(DeliveryError)
}

/// Why a message was not told; nothing secret is in it.
public struct DeliveryError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}
