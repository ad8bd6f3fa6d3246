internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres

/// What a daemon shows of itself in the ledger: now and then that it is alive, and at once how far it is.
struct DaemonHeartbeat {
  private struct Sign {
    let at: Instant
    let isReady: Bool
    let isDraining: Bool
  }

  private var last: Sign?

  private static let rhythm = Duration.seconds(15)

  /// Shows it, when it is time to or there is news.
  ///
  /// Whatever fails here is tried again at the next pass: it must not stop the passes.
  mutating func write(
    _ daemon: Daemon, jobs: [JobName], at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    let sign = Sign(at: now, isReady: daemon.isReady, isDraining: daemon.phase == .draining)
    if let last, !Self.isNews(sign, after: last) { return }
    do throws(PostgresError) {
      let snapshot = try Ledger.showAlive(
        daemon.pool.name, jobs: jobs, ready: sign.isReady, draining: sign.isDraining,
        byHand: daemon.isByHand, isFirst: last == nil, at: now, on: connection)
      last = sign
      daemon.publish(.tookSnapshot(snapshot))
    } catch {
      guard !error.needsNewConnection else { throw error }
      daemon.log.error("maintenance: its heartbeat: \(error); tried again at the next pass")
    }
  }

  private static func isNews(_ sign: Sign, after last: Sign) -> Bool {
    sign.at - last.at >= rhythm || sign.at < last.at
      || (sign.isReady, sign.isDraining) != (last.isReady, last.isDraining)
  }
}
