private import Glibc

/// A port of 127.0.0.1 that lets everybody in and never says a word.
public final class SilentServer: Sendable {
  /// The port on which it listens.
  public let port: Int

  private let descriptor: Int32

  /// Begins to listen.
  public init() throws {
    (descriptor, port) = try Loopback.listen()
  }

  deinit {
    close(descriptor)
  }
}
