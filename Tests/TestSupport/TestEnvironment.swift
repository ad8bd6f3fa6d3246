private import Glibc

/// What `script/test` tells the tests about their surroundings.
///
/// Tests of somebody else's jobs run without that script: then there are a server and a folder of their own.
public enum TestEnvironment {
  /// The connection string of a scratch PostgreSQL that all tests share, as superuser; it may be that
  /// of a pooler before it.
  public static var postgres: String {
    get throws { try given("WORKER_TEST_POSTGRES") ?? OwnServer.url.get() }
  }

  /// The connection string of the same server, never by way of a pooler.
  public static var server: String {
    get throws { try given("WORKER_TEST_SERVER") ?? postgres }
  }

  /// Whether tests reach that server by way of a pooler.
  public static var isPooled: Bool {
    get throws { try postgres != server }
  }

  /// The folder of PostgreSQL's programs, such as `initdb`.
  public static var postgresPrograms: String {
    get throws { try given("WORKER_TEST_PGBIN") ?? OwnServer.programs.get() }
  }

  /// A folder for whatever tests write, which the user `postgres` can reach.
  public static var scratch: String {
    get throws { try given("WORKER_TEST_SCRATCH") ?? OwnServer.scratch.get() }
  }

  /// A folder of time zone files.
  public static var zoneinfo: String {
    get throws { given("WORKER_TEST_ZONEINFO") ?? "/usr/share/zoneinfo" }
  }

  /// The folder where the oracles left what they expect.
  public static var oracles: String {
    get throws { try value("WORKER_TEST_ORACLES") }
  }

  /// The program `worker` that is tested.
  public static var binary: String {
    get throws { try value("WORKER_TEST_BINARY") }
  }

  /// The same program in a debug build, which can rehearse, and be told where to die.
  public static var debugBinary: String {
    get throws { try value("WORKER_TEST_DEBUG_BINARY") }
  }

  static func given(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  private static func value(_ name: String) throws(MissingVariable) -> String {
    guard let value = given(name) else { throw MissingVariable(name: name) }
    return value
  }
}

/// A variable that the tests need and nobody set.
public struct MissingVariable: Error, CustomStringConvertible {
  let name: String

  public var description: String {
    "run script/test: it sets \(name)"
  }
}
