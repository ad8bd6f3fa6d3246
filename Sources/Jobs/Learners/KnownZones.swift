import LocalTime

/// The zones that learners live in, each looked up once.
struct KnownZones {
  private let zones: ZoneDatabase

  /// Where a name stands for no zone there is nothing.
  private var found: [String: Zone?] = [:]

  init(of zones: ZoneDatabase) {
    self.zones = zones
  }

  /// The zone of that name, or nothing when nobody knows it; files that cannot be read are an error.
  mutating func zone(named name: String) throws(ZoneError) -> Zone? {
    if let known = found[name] { return known }
    let zone = try Self.findZone(for: name, in: zones)
    found[name] = .some(zone)
    return zone
  }

  private static func findZone(
    for name: String, in zones: ZoneDatabase
  ) throws(ZoneError) -> Zone? {
    do throws(ZoneError) {
      return try zones.zone(named: name)
    } catch {
      guard case .unknown = error else { throw error }
      return nil
    }
  }
}
