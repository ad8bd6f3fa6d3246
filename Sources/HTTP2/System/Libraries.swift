internal import CNghttp2
internal import COpenSSL

extension ConnectionPool {
  /// Which of Debian's libraries is missing on this machine, and how to get it; nil when both are there.
  public static var missingLibrary: ConnectFailure? {
    if tls_is_there() == 0 { return .noTLS }
    return frames_are_there() == 0 ? .noHTTP2 : nil
  }
}
