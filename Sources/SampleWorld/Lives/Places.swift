internal import LocalTime

/// Where learners live: the zones of the world, and how many of a hundred thousand live in each.
struct Places: Sendable {
  let zones: [Zone]

  /// The sums of the weights up to each zone, by which one is found in a few steps.
  private let sums: [Int]

  init(of database: ZoneDatabase) throws(ZoneError) {
    var (zones, sums, sum) = ([Zone](), [Int](), 0)
    for (weight, names) in Self.weights {
      for name in names {
        zones.append(try database.zone(named: name))
        sum += weight
        sums.append(sum)
      }
    }
    (self.zones, self.sums) = (zones, sums)
  }

  /// Where somebody lives.
  func home(_ dice: inout Dice) -> Zone {
    let throwing = dice.number(0...(sums[sums.count - 1] - 1))
    var (low, high) = (0, sums.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] > throwing { high = middle } else { low = middle + 1 }
    }
    return zones[low]
  }

  /// Where somebody travels who lives in `home`: mostly to where many live, now and then far away.
  func destination(from home: Zone, _ dice: inout Dice) -> Zone {
    if home.name == "Pacific/Auckland", dice.falls(0.5), let honolulu { return honolulu }
    return dice.falls(0.5) ? self.home(&dice) : dice.one(of: zones)
  }

  private var honolulu: Zone? { zones.first { $0.name == "Pacific/Honolulu" } }

  private static let weights: [(each: Int, names: [String])] = [
    (32_000, ["Asia/Seoul"]),
    (5_000, ["America/New_York", "America/Los_Angeles", "Europe/London"]),
    (
      3_000,
      [
        "Europe/Berlin", "Europe/Paris", "Asia/Tokyo", "Asia/Kolkata", "America/Sao_Paulo",
        "America/Chicago", "Australia/Sydney",
      ]
    ),
    (
      1_200,
      [
        "Asia/Singapore", "Asia/Shanghai", "Asia/Jakarta", "Asia/Manila", "Asia/Ho_Chi_Minh",
        "America/Mexico_City", "America/Toronto", "Europe/Madrid", "Europe/Istanbul",
        "America/Argentina/Buenos_Aires", "Asia/Bangkok", "Pacific/Auckland",
      ]
    ),
    (300, seldom),
  ]

  /// Few live there, and each teaches something: quarters of an hour, skipped midnights, far offsets.
  private static let seldom = [
    "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "Pacific/Chatham", "Pacific/Honolulu",
    "Pacific/Kiritimati", "Pacific/Pago_Pago", "Pacific/Marquesas", "Pacific/Fiji", "Pacific/Guam",
    "America/St_Johns", "America/Halifax", "America/Denver", "America/Phoenix", "America/Anchorage",
    "America/Havana", "America/Santiago", "America/Bogota", "America/Lima", "America/Caracas",
    "America/Asuncion", "America/Nuuk", "America/Scoresbysund", "Atlantic/Azores",
    "Atlantic/Reykjavik", "Africa/Casablanca", "Africa/Cairo", "Africa/Lagos", "Africa/Nairobi",
    "Africa/Johannesburg", "Africa/Algiers", "Europe/Zurich", "Europe/Rome", "Europe/Warsaw",
    "Europe/Athens", "Europe/Kyiv", "Europe/Moscow", "Europe/Lisbon", "Europe/Dublin",
    "Europe/Chisinau", "Asia/Beirut", "Asia/Jerusalem", "Asia/Gaza", "Asia/Tehran", "Asia/Dubai",
    "Asia/Kabul", "Asia/Karachi", "Asia/Tashkent", "Asia/Colombo", "Asia/Dhaka", "Asia/Yangon",
    "Asia/Hong_Kong", "Asia/Ulaanbaatar", "Australia/Adelaide", "Australia/Darwin",
    "Australia/Eucla", "Australia/Brisbane", "Antarctica/Troll",
  ]
}
