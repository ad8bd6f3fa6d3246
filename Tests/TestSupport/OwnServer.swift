private import Glibc
private import Synchronization

/// A PostgreSQL for tests that no script started one for: it is there with the first test that asks, and goes when the
/// process ends.
enum OwnServer {
  /// The connection string, as superuser.
  static let url = Result { try start() }

  /// A folder for whatever the tests write.
  static let scratch = Result { try makeScratch() }

  /// The folder of the newest PostgreSQL of this machine.
  static let programs = Result { try findPrograms() }

  private static let kept = Mutex<PrivateServer?>(nil)

  private static func start() throws -> String {
    try kept.withLock { kept in
      let server = try PrivateServer(settings: ["max_connections": "100"])
      kept = server
      return server.url()
    }
  }

  private static func makeScratch() throws -> String {
    let given = TestEnvironment.given("TMPDIR") ?? ""
    let parent = given.isEmpty ? "/tmp" : given
    var path = Array("\(parent)/worker-test.XXXXXX".utf8CString)
    guard unsafe mkdtemp(&path) != nil else { throw Unwritable(path: parent) }
    let folder = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard unsafe chmod(folder, 0o755) == 0 else { throw Unwritable(path: folder) }
    atexit { OwnServer.end() }
    return folder
  }

  private static func end() {
    kept.withLock { $0 = nil }
    if let folder = try? scratch.get() { try? ChildProcess.run("rm", ["-rf", folder]) }
  }

  private static func findPrograms() throws -> String {
    let places = (9...30).reversed().map { "/usr/lib/postgresql/\($0)/bin" } + ["/usr/local/bin"]
    guard let place = places.first(where: { unsafe access("\($0)/initdb", X_OK) == 0 }) else {
      throw NoServerPrograms()
    }
    return place
  }
}

/// PostgreSQL's server is not installed.
public struct NoServerPrograms: Error, CustomStringConvertible {
  public var description: String {
    "no PostgreSQL below /usr/lib/postgresql: install it, or name its programs in WORKER_TEST_PGBIN"
  }
}
