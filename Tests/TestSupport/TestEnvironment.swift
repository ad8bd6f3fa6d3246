private import Glibc

/// What `script/test` tells the tests about their surroundings.
public enum TestEnvironment {
  /// The connection string of a scratch PostgreSQL that all tests share, as superuser; it may be that
  /// of a pooler before it.
  public static var postgres: String {
    get throws { try value("WORKER_TEST_POSTGRES") }
  }

  /// The connection string of the same server, never by way of a pooler.
  public static var server: String {
    get throws { try value("WORKER_TEST_SERVER") }
  }

  /// Whether tests reach that server by way of a pooler.
  public static var isPooled: Bool {
    get throws { try postgres != server }
  }

  /// The folder of PostgreSQL's programs, such as `initdb`.
  public static var postgresPrograms: String {
    get throws { try value("WORKER_TEST_PGBIN") }
  }

  /// A folder for whatever tests write, which the user `postgres` can reach.
  public static var scratch: String {
    get throws { try value("WORKER_TEST_SCRATCH") }
  }

  /// A folder of time zone files.
  public static var zoneinfo: String {
    get throws { try value("WORKER_TEST_ZONEINFO") }
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

  private static func value(_ name: String) throws(MissingVariable) -> String {
    guard let value = unsafe getenv(name) else { throw MissingVariable(name: name) }
    return unsafe String(cString: value)
  }
}

/// A variable that the tests need and nobody set.
public struct MissingVariable: Error, CustomStringConvertible {
  let name: String

  public var description: String {
    "run script/test: it sets \(name)"
  }
}
