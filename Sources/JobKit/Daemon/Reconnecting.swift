internal import Postgres

/// Keeps a loop on a connection: opens one, runs the loop's body on it, and opens another when it is lost.
struct Reconnecting {
  let daemon: Daemon
  let what: String
  let alarm: Alarm

  /// Runs `body` on one connection after another until the daemon has ended, or `body` returns.
  func run(
    until phase: Daemon.Phase, _ body: (consuming Connection) throws -> Void
  ) {
    var failures = 0
    while daemon.phase < phase {
      do {
        let connection = try Connection(to: daemon.server)
        if failures > 0 {
          daemon.log.info("\(what): connected again")
          // Who waits half a minute for the next try need not: the server is back.
          daemon.wakeEveryone()
        }
        failures = 0
        try body(connection)
      } catch {
        failures += 1
        // The wait doubles up to half a minute; the first failures are quick, because most outages are.
        let wait = Duration.milliseconds(min(30_000, 250 << min(failures, 7)))
        daemon.log.error("\(what): \(error); tried again in \(wait)")
        alarm.set(after: wait)
        alarm.wait()
      }
    }
  }
}
