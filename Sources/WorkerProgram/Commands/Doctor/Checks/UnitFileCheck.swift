internal import Config
internal import JobKit
internal import LocalTime

/// Whether systemd gives the daemon the time that its end takes, and leaves it alone when it was drained.
struct UnitFileCheck: HostCheck {
  let name = "unit"

  /// Where units are, those that win first.
  var folders = [
    "/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system",
    "/usr/lib/systemd/system", "/lib/systemd/system",
  ]

  func check(at patient: Patient) -> [Observation] {
    let units = ["worker.service", "worker@.service"].compactMap { UnitFile($0, in: folders) }
    guard !units.isEmpty else {
      return [.note("no unit worker.service is installed: whoever starts the daemon also ends it")]
    }
    return units.flatMap(check)
  }

  private func check(at unit: UnitFile) -> [Observation] {
    var seen: [Observation] = []
    let stop = unit.stopTimeout
    if let stop, stop < unit.drain + Self.reserve, !Self.grantsMoreTime(unit, behind: stop) {
      seen.append(
        .warning(
          "\(unit.path): TimeoutStopSec is \(stop.written) and the drain may take \(unit.drain.written)",
          why: "a daemon that is killed in its drain leaves its parts to their leases: they go on"
            + " elsewhere 15 s later, and those of the last daemon wait",
          do: "set TimeoutStopSec to \((unit.drain + Self.reserve).written) or more"))
    }
    if unit["Restart"] == "always" {
      seen.append(
        .warning(
          "\(unit.path): Restart=always starts a daemon again that 'worker drain' has ended",
          why: "the daemon that an upgrade has ended comes back beside the new one",
          do: "write Restart=on-failure"))
    }
    return seen.orWell(
      "\(unit.path): TimeoutStopSec \(stop?.written ?? "infinity"), drain \(unit.drain.written)")
  }

  /// Whether a drain gets as long as it takes: of a service that notifies it asks systemd for more time as
  /// it goes, before each that it was given is over.
  private static func grantsMoreTime(_ unit: UnitFile, behind stop: Duration) -> Bool {
    unit["Type"] == "notify" && stop > reserve
  }

  /// What the end takes behind the drain: what is cut off is waited for twice five seconds.
  private static let reserve = Duration.seconds(15)
}
