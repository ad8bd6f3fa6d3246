import Testing

@testable import LocalTime

/// One case of the cron oracles, as Tests/oracles/cron.py writes them.
struct CronCase {
  let schedule: CronSchedule
  let start: Int
  let end: Int
  /// Seconds since 1970.
  let ticks: [Int]

  /// Every case of a file.
  static func all(in file: String, zones: ZoneDatabase) throws -> [CronCase] {
    let folder = Folder(path: try Given.variable("WORKER_TEST_ORACLES"))
    return try folder.bytes(of: file, limit: 1 << 28).split(separator: 10).map { line in
      try CronCase(line.split(separator: 9, omittingEmptySubsequences: false), zones: zones)
    }
  }

  private init(_ columns: [ArraySlice<UInt8>], zones: ZoneDatabase) throws {
    let texts = columns.prefix(3).map { String(decoding: $0, as: UTF8.self) }
    schedule = CronSchedule(
      try Cron(texts[1]), in: try zones.zone(named: texts[2]),
      dst: try #require(CronSchedule.ClockChanges(rawValue: texts[0])))
    start = Self.number(columns[3])
    end = Self.number(columns[4])
    ticks = columns[5].split(separator: 44).map(Self.number)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int {
    digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  var description: String {
    "'\(schedule.cron)' \(schedule.zone.name) \(schedule.dst) from \(start) to \(end)"
  }
}
