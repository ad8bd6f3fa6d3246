internal import JobKit
internal import Jobs
internal import LocalTime
internal import Postgres
internal import Push

/// What the database says of itself when it is asked.
struct DatabaseGreeting {
  let server: String
  let user: String
  let clock: Instant

  /// The providers that learners' devices need, where that was asked.
  let providers: [PushProvider]
}

extension DatabaseGreeting: CustomStringConvertible {
  var description: String { "PostgreSQL \(server), as \(user), its clock at \(clock)" }
}

extension DatabaseGreeting {
  /// Connects as the daemon would, and asks once.
  ///
  /// A database that lacks migrations is refused, as the daemon would.
  static func ask(_ server: Server, ofDevices asksOfDevices: Bool) throws -> DatabaseGreeting {
    let connection = try Connection(to: server)
    let rows = try connection.run(
      """
      SELECT current_setting('server_version') AS server, current_user::text AS user,
        date_trunc('second', clock_timestamp()) AS clock
      """)
    let row = try rows.only
    let clock = try row["clock", as: Timestamp.self]
    try ProgramSchemas.requireNewest(on: connection)
    return DatabaseGreeting(
      server: try row["server"], user: try row["user"],
      clock: Instant(microseconds: Int64(clock.microsecondsSince1970)),
      providers: asksOfDevices ? try LearnerDevice.neededProviders(on: connection) : [])
  }
}
