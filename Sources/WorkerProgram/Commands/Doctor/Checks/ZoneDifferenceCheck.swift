internal import JobKit
internal import LocalTime
internal import Postgres
internal import Settings

/// Whether this host and the database's know the same rules of time zones.
struct ZoneDifferenceCheck: DatabaseCheck {
  let name = "zones"

  func check(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
    let zones = Self.sample(of: patient)
    let instants = (0..<Self.instants).map {
      patient.now + .seconds(86_400 * 365 / Self.instants * $0)
    }
    let rows = try connection.run(
      """
      SELECT zone, moment, extract(epoch FROM
        (moment AT TIME ZONE zone) - (moment AT TIME ZONE 'UTC'))::bigint AS "offset"
      FROM unnest(\(zones.map(\.name))) AS zone
        JOIN pg_timezone_names AS known ON known.name = zone
        CROSS JOIN unnest(\(instants)) AS moment
      """)
    var (different, known): (Set<String>, Set<String>) = ([], [])
    for row in rows {
      let name: String = try row["zone"]
      known.insert(name)
      let offset = zones.first { $0.name == name }?.offset(at: try row["moment"])
      if try offset != row["offset", as: Int.self] { different.insert(name) }
    }
    return report(
      different: different.sorted(), unknown: Set(zones.map(\.name)).subtracting(known).sorted(),
      of: zones.count)
  }

  private func report(different: [String], unknown: [String], of count: Int) -> [Observation] {
    var seen: [Observation] = []
    let remedy = "bring tzdata to one release on both hosts"
    if !different.isEmpty {
      seen.append(
        .warning(
          "the database has other rules in the year to come for \(different.joined(separator: ", "))",
          why:
            "the worker goes by its own zone data; who converts zones in SQL gets other hours and dates",
          do: remedy))
    }
    if !unknown.isEmpty {
      seen.append(
        .note(
          "the database does not know \(unknown.joined(separator: ", "))",
          why:
            "SQL that converts to one of them fails, as in a report; the worker does not need it",
          do: remedy))
    }
    return seen.orWell(
      "\(count) zones are the same at \(Self.instants) moments of the year to come")
  }

  /// The zones of the jobs, and some whose rules were changed lately or are odd.
  private static func sample(of patient: Patient) -> [Zone] {
    let wanted = Set(patient.settings.jobs.map(\.schedule.zone.name) + usual)
    return wanted.sorted().compactMap { try? patient.loaded.zones.zone(named: $0) }
  }

  private static let instants = 73

  private static let usual = [
    "Africa/Cairo", "Africa/Casablanca", "America/Asuncion", "America/Los_Angeles",
    "America/Mexico_City", "America/New_York", "America/Nuuk", "America/Santiago",
    "America/Sao_Paulo", "America/Vancouver", "Asia/Almaty", "Asia/Amman", "Asia/Beirut",
    "Asia/Gaza", "Asia/Kolkata", "Asia/Manila", "Asia/Seoul", "Asia/Tehran", "Asia/Tokyo",
    "Atlantic/Azores", "Australia/Lord_Howe", "Australia/Sydney", "Europe/Berlin",
    "Europe/Chisinau", "Europe/Dublin", "Europe/London", "Pacific/Apia", "Pacific/Auckland",
    "Pacific/Fiji", "UTC",
  ]
}
