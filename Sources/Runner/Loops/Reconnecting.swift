internal import Config
internal import LocalTime
internal import Postgres

/// Keeps a loop on a connection: opens one, runs the loop's body on it, and opens another when it is lost.
struct Reconnecting {
  let daemon: Daemon
  let what: String
  let wakeUp: WakeUp

  /// How long a statement may take, where the settings would let it take longer.
  var statementLimit: @Sendable () -> Duration? = { nil }

  /// How long it waits at most before it tries again.
  var longestWait = Duration.seconds(30)

  /// Runs `body` on one connection after another until the daemon has ended, or `body` returns.
  func run(
    until phase: Daemon.Phase, _ body: (consuming Connection) throws -> Void
  ) {
    var (failures, isAway) = (0, false)
    while daemon.phase < phase {
      var began: ContinuousClock.Instant?
      do {
        let connection = try Connection(to: server)
        began = .now
        if failures > 0 { daemon.log.info("\(what): connected again") }
        // Who waits half a minute for the next try need not: the server is back.
        if isAway { daemon.wakeEveryone(but: wakeUp) }
        isAway = false
        try body(connection)
      } catch {
        isAway = began == nil
        if let began, ContinuousClock.now - began > Self.soundTime { failures = 0 }
        failures += 1
        let wait = min(longestWait, Self.wait(after: failures))
        daemon.log.error("\(what): \(error); tried again in \(Self.text(of: wait))")
        daemon.publish(.lostConnection(loop: what))
        wakeUp.set(after: wait)
        wakeUp.wait()
      }
    }
  }

  /// The wait doubles; the first failures are quick, because most outages are.
  static func wait(after failures: Int) -> Duration { .milliseconds(250 << min(failures, 7)) }

  private var server: Server {
    var server = daemon.server
    if let statementLimit = statementLimit() {
      server.statementLimit = min(server.statementLimit ?? statementLimit, statementLimit)
    }
    return server
  }

  private static func text(of wait: Duration) -> String {
    wait < .seconds(1) ? "\(Int(wait / .milliseconds(1)))ms" : wait.written
  }

  /// A loop that went well for so long was sound: what ends it is news, not the same failure again.
  private static let soundTime = Duration.seconds(3)
}
