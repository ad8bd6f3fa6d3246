private import Glibc

/// A folder of a test's own, removed when the last owner of this object lets go.
public final class ScratchFolder: Sendable {
  public let path: String

  /// Makes an empty folder that anybody may read.
  public init() throws {
    path = "\(try TestEnvironment.scratch)/t\(getpid())-\(UInt32.random(in: 0 ... .max))"
    guard unsafe mkdir(path, 0o755) == 0 else { throw Unwritable(path: path) }
  }

  deinit {
    try? ChildProcess.run("rm", ["-rf", path])
  }

  /// Writes a file into the folder and returns its path.
  @discardableResult
  public func write(_ text: String, to name: String, mode: UInt32 = 0o600) throws -> String {
    try TextFile.write(text, to: "\(path)/\(name)", mode: mode)
    return "\(path)/\(name)"
  }
}
