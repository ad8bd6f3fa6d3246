import Postgres
import TestSupport

/// Runs `work` and says how long it took.
func timed<Value>(_ work: () throws -> Value) rethrows -> (value: Value, took: Duration) {
  let start = ContinuousClock.now
  let value = try work()
  return (value, ContinuousClock.now - start)
}

/// The error of Postgres that `work` throws, or nil when it throws none.
func refusal<Value: ~Copyable>(of work: () throws -> Value) -> PostgresError? {
  do {
    _ = try work()
    return nil
  } catch {
    return error as? PostgresError
  }
}

/// The error as a failed test shows it.
func told(_ error: PostgresError?) -> String {
  error.map { "\($0)" } ?? "no error"
}

/// The shared server under other conditions.
func shared(_ change: (inout Server) -> Void) throws -> Server {
  var server = try Server(TestEnvironment.postgres)
  change(&server)
  return server
}

extension Connection {
  /// The first value of the first row.
  func value<Value: PostgresValue>(
    _ statement: Statement, as type: Value.Type = Value.self
  ) throws -> Value {
    try run(statement).only[0]
  }
}

/// What a test throws to see whether it comes back.
struct Marker: Error, Equatable {}
