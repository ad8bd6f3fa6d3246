internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres

/// Looks now and then for jobs that no daemon alive has code for.
struct OrphanWatch {
  private var last: Instant

  private static let rhythm = Duration.seconds(600)

  init(from start: Instant) {
    last = start
  }

  /// Writes off the ticks of such jobs, when it is time again.
  ///
  /// A failure waits for the next time: it must not stop what there is code for.
  mutating func check(
    at now: Instant, for daemon: Daemon, on connection: borrowing Connection
  ) throws {
    guard now - last >= Self.rhythm || now < last else { return }
    last = now
    let orphans = Orphans(daemon: daemon.pool.name.text, zones: daemon.pool.zones)
    do {
      for (job, rows) in try orphans.writeOff(at: now, on: connection) {
        daemon.log.warning(
          "no daemon alive has code for it: its ticks are skipped",
          ["job": job.text, "rows": "\(rows)"])
      }
    } catch let error as PostgresError where !error.needsNewConnection {
      daemon.log.error("jobs without code: \(error); tried again in \(Self.rhythm.inWords)")
    }
  }
}
