internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres

/// What a daemon shows of itself in the ledger: now and then that it is alive, and at once how far it is.
struct SignOfLife {
  private struct Sign {
    let at: Instant
    let isReady: Bool
    let isDraining: Bool
  }

  private var last: Sign?

  private static let rhythm = Duration.seconds(15)

  /// Shows it, when it is time to or there is news.
  ///
  /// Whatever fails here is tried again at the next beat: it must not stop the beats.
  mutating func show(
    _ daemon: Daemon, jobs: [JobName], at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    let sign = Sign(at: now, isReady: daemon.isReady, isDraining: daemon.phase == .draining)
    if let last, !Self.isNews(sign, after: last) { return }
    do throws(PostgresError) {
      let survey = try Ledger.showAlive(
        daemon.crew.name, jobs: jobs, ready: sign.isReady, draining: sign.isDraining,
        byHand: daemon.isByHand, isFirst: last == nil, at: now, on: connection)
      last = sign
      daemon.tell(.surveyed(survey))
    } catch {
      guard !error.needsNewConnection else { throw error }
      daemon.log.error("heart: its sign of life: \(error); tried again at the next beat")
    }
  }

  private static func isNews(_ sign: Sign, after last: Sign) -> Bool {
    sign.at - last.at >= rhythm || sign.at < last.at
      || (sign.isReady, sign.isDraining) != (last.isReady, last.isDraining)
  }
}
