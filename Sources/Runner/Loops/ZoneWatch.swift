package import LocalTime

/// When to look for new zone files: once an hour, by the clock that judges ticks.
package struct ZoneWatch {
  private var lastLook: Instant

  private static let rhythm = Duration.seconds(3600)

  package init(from now: Instant) {
    lastLook = now
  }

  /// Lets the daemon look when it is time to: behind a pass, which must not wait for files.
  mutating func check(at now: Instant, for daemon: Daemon) {
    // A clock that was set back must not keep it from looking for as long as that.
    guard now - lastLook >= Self.rhythm || now < lastLook else { return }
    lastLook = now
    daemon.followZones()
  }
}
