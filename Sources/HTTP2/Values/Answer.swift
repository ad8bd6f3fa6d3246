/// What a server said to a request.
public struct Answer: Sendable, Equatable {
  public let status: Int
  public var headers: [HeaderField]
  public var body: [UInt8]

  /// Whether all of the body is here: one that is too long or does not end is cut, and its status stands.
  public var isWhole: Bool

  public init(status: Int, headers: [HeaderField] = [], body: [UInt8] = [], isWhole: Bool = true) {
    (self.status, self.headers, self.body, self.isWhole) = (status, headers, body, isWhole)
  }

  /// The value of the first header of that name.
  public subscript(name: String) -> String? {
    headers.first { $0.name == name }?.value
  }

  /// Whether the server took the token that the request carried.
  var acceptsToken: Bool {
    (200..<500).contains(status) && status != 401 && status != 403
  }
}
