internal import JobKit
internal import LocalTime
internal import Settings

/// How old the zone data of this host is.
struct ZoneDataCheck: HostCheck {
  let name = "tzdata"

  func check(at patient: Patient) -> [Observation] {
    let (version, root) = (patient.loaded.zones.version, patient.loaded.zones.root)
    guard let year = Int(version.prefix(4)), (1990...2999).contains(year) else {
      return [
        .note(
          "'\(root)' does not say which release it is",
          why: "whether its rules are those of today cannot be told",
          do: "install a tzdata with the file 'tzdata.zi' or '+VERSION'")
      ]
    }
    let days = patient.now.day - (CivilDate(year: year, month: 12, day: 31)?.dayNumber ?? 0)
    guard days > Self.mostDays else { return [.ok("'\(root)' is release \(version)")] }
    return [
      .warning(
        "'\(root)' is release \(version), of at least \(days) days ago",
        why:
          "governments change their clocks a few times a year; old rules run jobs at the wrong hour",
        do: "update the package tzdata; a daemon takes new files on within the hour")
    ]
  }

  private static let mostDays = 180
}

extension Instant {
  /// The day that it is on in UTC.
  fileprivate var day: Int { Zone.utc.localDay(of: self).dayNumber }
}
