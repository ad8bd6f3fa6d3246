internal import JobKit
internal import Ledger
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

extension Daemon {
  /// Takes on zone files that are newer than those that were read.
  ///
  /// Ticks that are decided stay decided; those to come follow the new rules. In the middle of an upgrade
  /// the files cannot be read: then the rules stay as they are until the next look.
  package func followZones() {
    do throws(ZoneError) {
      guard let update = try pool.zones.reload() else { return }
      log.info("\(update)")
      let (jobs, generation) = schedule
      var moved = jobs
      for index in moved.indices { try moved[index].follow(pool.zones) }
      move(moved, since: generation)
    } catch {
      log.warning(
        "new zone files cannot be read: \(error); the old rules stay in force, and in an hour the files"
          + " are looked at again")
    }
  }
}

extension ScheduledJob {
  /// Goes by the newest rules of its zone.
  fileprivate mutating func follow(_ zones: ZoneDatabase) throws(ZoneError) {
    schedule = schedule.moved(to: try zones.zone(named: schedule.zone.name))
  }
}
