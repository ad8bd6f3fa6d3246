private import Glibc

/// A disk of a test's own that is soon full: a small file system in memory.
public final class SmallDisk {
  /// The folder where it is mounted, which belongs to PostgreSQL's user.
  public let path: String

  private let folder: ScratchFolder

  /// Whether this process may mount one: root may, unless its container forbids it.
  public static let canBeMounted = (try? SmallDisk(megabytes: 1)) != nil

  /// Mounts an empty one.
  public init(megabytes: Int) throws {
    folder = try ScratchFolder()
    path = folder.path
    try ChildProcess.run(
      "mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m,mode=700", "worker-test", path])
    try PostgresUser.own(path)
  }

  deinit {
    // Lazily: a server that still stops must not keep it.
    try? ChildProcess.run("umount", ["--lazy", path])
  }

  /// Leaves no room on it.
  public func fill() throws {
    let all = String(repeating: "x", count: 64 << 20)
    // What was written before there was no room left stays.
    guard (try? TextFile.write(all, to: filler)) != nil else { return }
    throw Unwritable(path: filler)
  }

  /// Gives back the room that was taken.
  public func makeRoom() {
    unsafe unlink(filler)
  }

  private var filler: String { "\(path)/filler" }
}
