/// What a provider is asked: where, with which headers, and with what body.
///
/// What authorizes it is no part of it, so it can be shown; only where it goes may name a device.
public struct PushRequest: Sendable, Equatable {
  /// A line before the body.
  public struct Header: Sendable, Equatable {
    public let name: String
    public let value: String

    /// Whether no other request has the same value: such would push all others out of HTTP/2's table.
    public let isUnique: Bool

    init(_ name: String, _ value: String, isUnique: Bool = false) {
      (self.name, self.value, self.isUnique) = (name, value, isUnique)
    }
  }

  /// Where it goes at the provider; with Apple's it ends with the token of the device.
  public let path: String
  public let headers: [Header]
  public let body: String

  init(path: String, headers: [Header], body: String) {
    (self.path, self.headers, self.body) = (path, headers, body)
  }

  /// A request with headers by name and value.
  public init(path: String, headers: [(name: String, value: String)], body: String) {
    self.init(path: path, headers: headers.map { Header($0.name, $0.value) }, body: body)
  }
}

extension PushRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "a request with a body of \(body.utf8.count) bytes" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A push that is not sent, because it is known before what would become of it.
public struct Unsendable: Error, Sendable, Equatable {
  public let delivery: Delivery

  init(_ delivery: Delivery) {
    self.delivery = delivery
  }
}

/// What a push is sent with: a token that its provider takes for some time.
public struct BearerToken: Sendable, Equatable {
  /// The token, for the provider alone.
  let secret: Secret

  /// Which of its kind it is: answers to an earlier one say nothing of this one.
  public let generation: Int

  public init(text: String, generation: Int) {
    self.init(secret: Secret(text), generation: generation)
  }

  init(secret: Secret, generation: Int) {
    self.secret = secret
    self.generation = generation
  }

  /// The value of the header `authorization`.
  public var header: String { "bearer \(secret.text ?? "")" }
}
