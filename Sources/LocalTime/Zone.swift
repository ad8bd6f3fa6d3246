/// The clocks of one place: what they show at any instant, and when they show a given time.
///
/// A zone is a value that never changes; copying it is cheap.
public struct Zone: Sendable, Hashable {
  public let name: String
  let rules: ZoneRules

  init(name: String, rules: ZoneRules) {
    self.name = name
    self.rules = rules
  }

  public static let utc = Zone(
    name: "UTC",
    rules: ZoneRules(changes: [ZoneSpan(start: ZoneSpan.beginning, offset: 0)], rule: nil))

  /// Seconds that clocks here are ahead of UTC, negative west of it.
  public func offset(at instant: Instant) -> Int {
    rules.offset(at: instant.secondsSince1970)
  }

  /// What clocks here show at an instant, to the second.
  public func local(at instant: Instant) -> LocalDateTime {
    LocalDateTime(localSeconds: local(at: instant.secondsSince1970))
  }

  /// The date that calendars here show at an instant.
  public func localDay(of instant: Instant) -> CivilDate {
    let second = local(at: instant.secondsSince1970)
    return CivilDate(dayNumber: second.flooredDivision(by: 86_400))
  }

  /// The first instant of a local day.
  ///
  /// Where midnight is skipped that is the first instant after the gap; for a day that does not
  /// exist it is the first instant after it, which begins the next existing day.
  public func startOfDay(_ date: CivilDate) -> Instant {
    Instant(secondsSince1970: firstSecond(showing: date.dayNumber * 86_400))
  }

  /// Whether any clock here ever showed this date.
  public func dayExists(_ date: CivilDate) -> Bool {
    localDay(of: startOfDay(date)) == date
  }

  /// The day before `date` that exists here: for Apia 2011-12-31 it is 2011-12-29.
  public func previousDay(before date: CivilDate) -> CivilDate {
    localDay(of: startOfDay(date).advanced(bySeconds: -1))
  }

  /// The instant at which clocks here first show a local time or, when none ever does, a later one.
  ///
  /// This is the rule for every wall-clock promise: a time that comes twice counts the first time,
  /// a time that is skipped counts at the first instant after the gap, and of two local times the
  /// earlier never comes after the later.
  public func instant(of local: LocalDateTime) -> Instant {
    Instant(secondsSince1970: firstSecond(showing: local.localSeconds))
  }

  /// All instants at which clocks here show a local time: mostly one, none in a gap, two in an
  /// overlap.
  public func instants(showing local: LocalDateTime) -> [Instant] {
    seconds(showing: local.localSeconds).map(Instant.init(secondsSince1970:))
  }

  /// The next instant at which clocks here are put forward or back, after `instant`; nothing when they never are.
  public func nextChange(after instant: Instant) -> Instant? {
    let end = rules.span(at: instant.secondsSince1970).end
    return end < ZoneSpan.end ? Instant(secondsSince1970: end) : nil
  }
}

extension Zone {
  /// Whether a name is an abbreviation, such as EST: clocks of several places are called by it.
  ///
  /// What phones send is taken all the same; only to people it is no good name.
  public static func isAbbreviation(_ name: String) -> Bool {
    !["UTC", "UCT", "GMT"].contains(name) && !name.isEmpty
      && name.utf8.allSatisfy { (65...90).contains($0) || (48...57).contains($0) }
  }
}

extension Zone {
  /// The zone that the bytes of a TZif file describe.
  public init(name: String, file bytes: [UInt8]) throws(ZoneFileError) {
    self.init(name: name, rules: try ZoneFile(bytes).rules())
  }
}
