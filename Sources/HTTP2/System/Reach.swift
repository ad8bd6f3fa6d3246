/// Whether a server can be connected to.
public enum Reach {
  /// Connects as a pool would, up to verified TLS with HTTP/2, and hangs up; throws why that failed.
  public static func connect(to origin: Origin, within limit: Duration = .seconds(10))
    throws(ConnectFailure)
  {
    if let missing = ConnectionPool.missingLibrary { throw missing }
    guard let wakeUp = WakeUp() else { throw .unreachable("no descriptor is left") }
    let clock: @Sendable () -> Instant = { .now }
    let connector = Connector(
      origin: origin, limits: ConnectionLimits(),
      waiting: Waiting(wakeUp: wakeUp, clock: clock), isWanted: { true })
    _ = try connector.connect(by: clock() + limit)
  }
}
