/// A code of HTTP/2 for why a stream or a connection ends.
public struct ErrorCode: RawRepresentable, Sendable, Hashable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  static let noError = ErrorCode(rawValue: 0)
  static let refusedStream = ErrorCode(rawValue: 7)
  static let cancel = ErrorCode(rawValue: 8)

  private static let names = [
    "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
    "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR",
    "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
  ]
}

extension ErrorCode: CustomStringConvertible {
  public var description: String {
    rawValue < Self.names.count ? Self.names[Int(rawValue)] : "error \(rawValue)"
  }
}
