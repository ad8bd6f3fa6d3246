/// One connection, on a thread of its own: does what its machine decides.
final class ConnectionThread {
  private let id: Int
  private let pool: ConnectionPool
  private let waiting: Waiting

  init(_ id: Int, of pool: ConnectionPool, waking wakeUp: WakeUp) {
    (self.id, self.pool) = (id, pool)
    waiting = Waiting(wakeUp: wakeUp, clock: pool.clock)
  }

  /// Connects at `moment` and serves until the connection ends.
  func run(at moment: Instant) {
    do throws(ConnectFailure) {
      try wait(until: moment)
      let deadline = pool.clock() + pool.policy.limits.connecting
      guard let codec = FrameCodec() else { throw .noHTTP2 }
      let tls = try connector.connect(by: deadline)
      let machine = ConnectionMachine(
        pool.policy.limits, provesTokens: pool.policy.provesTokens, settingsBy: deadline,
        at: pool.clock())
      ConnectionLoop(id, of: pool, waiting, tls, codec, machine).run()
    } catch {
      pool.failed(id, error)
    }
  }

  private var connector: Connector {
    Connector(
      origin: pool.origin, limits: pool.policy.limits, waiting: waiting,
      isWanted: { [pool, id] in pool.wants(id) })
  }

  /// Waits for its turn; what waits for a connection may meanwhile wait too long.
  private func wait(until moment: Instant) throws(ConnectFailure) {
    while pool.clock() < moment {
      guard pool.wants(id) else { throw .stopped }
      let deadline = pool.take(id, .none, allowed: 0, at: pool.clock()).deadline
      _ = waiting.sleep(until: min(moment, deadline ?? moment))
    }
    guard pool.wants(id) else { throw .stopped }
  }
}
