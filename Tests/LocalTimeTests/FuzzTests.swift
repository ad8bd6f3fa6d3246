import LocalTime
import Testing

@testable import struct LocalTime.Folder

/// Whatever comes in, an answer or a refusal comes out; the fuzz program does the same for longer.
struct FuzzTests {
  private static let pieces =
    [
      "*", "*/5", "0", "5", "59", "23", "31", "1-5", "22-2", "MON", "FRI-SUN", "5#2", "5L", "L",
      ",", "-", "/", "#", "@daily", "?", "W", "H", "~", "+", "٥", "\u{301}", "\0", "\r\n",
    ] + Array(repeating: " ", count: 8)

  @Test func `any text is a cron expression that searches well, or a refusal`() throws {
    let zone = try Given.zone("Australia/Lord_Howe")
    var random = SeededGenerator(seed: 1)
    var accepted = 0

    for _ in 0..<20_000 {
      let text = Self.expression(&random)
      guard let cron = try? Cron(text) else { continue }
      accepted += 1
      let from = Instant(
        secondsSince1970: .random(in: 0...2_000_000_000, using: &random))
      let dst = CronSchedule.ClockChanges.allCases[accepted % 3]
      check(CronSchedule(cron, in: zone, dst: dst), from: from)
    }

    #expect(accepted > 1000)
  }

  /// Mostly five fields, since most other text is refused at once.
  private static func expression(_ random: inout SeededGenerator) -> String {
    guard Bool.random(using: &random) else {
      return (0..<Int.random(in: 0...14, using: &random))
        .compactMap { _ in pieces.randomElement(using: &random) }.joined()
    }
    let fields = ["*", "*/7", "0", "1", "5", "1-5", "2,4", "*/2", "L", "5L", "MON#1", "29", "2"]
    return (0..<5).compactMap { _ in fields.randomElement(using: &random) }.joined(separator: " ")
  }

  private func check(_ schedule: CronSchedule, from: Instant) {
    guard let next = schedule.next(after: from), let after = schedule.next(after: next.instant)
    else {
      #expect(schedule.dst == .skipMissing, "'\(schedule.cron)' ends after \(from)")
      return
    }
    #expect(next.instant > from && after.instant > next.instant, "'\(schedule.cron)' \(from)")
    #expect(schedule.previous(before: after.instant) == next, "'\(schedule.cron)' \(from)")
  }

  @Test func `any bytes are a zone that answers, or a refusal`() throws {
    let zoneinfo = Folder(path: try Given.variable("WORKER_TEST_ZONEINFO"))
    let files = try ["America/New_York", "Africa/Casablanca", "Asia/Tokyo", "Pacific/Apia"]
      .map { try zoneinfo.bytes(of: $0) }
    var random = SeededGenerator(seed: 2)
    var accepted = 0

    for round in 0..<20_000 {
      var bytes = files[round % files.count]
      for _ in 0..<Int.random(in: 1...4, using: &random) { Self.mutate(&bytes, &random) }
      guard let zone = try? Zone(name: "X", file: bytes) else { continue }
      accepted += 1
      let second = Int.random(in: -4_000_000_000...8_000_000_000, using: &random)
      check(zone, at: Instant(secondsSince1970: second))
    }

    #expect(accepted > 1000)
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard let index = bytes.indices.randomElement(using: &random) else { return }
    switch Int.random(in: 0...7, using: &random) {
    case 0: bytes.remove(at: index)
    case 1: bytes.insert(.random(in: 0...255, using: &random), at: index)
    case 2: bytes.removeLast(bytes.count - index)
    case 3: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
    default: bytes[index] = .random(in: 0...255, using: &random)
    }
  }

  /// What holds in every zone, however odd.
  private func check(_ zone: Zone, at instant: Instant) {
    let local = zone.local(at: instant)
    let first = zone.instant(of: local)
    let day = zone.localDay(of: instant)
    #expect(first <= instant, "\(instant) shows \(local), first at \(first)")
    #expect(zone.local(at: first) >= local)
    #expect(zone.instants(showing: local).contains(instant))
    #expect(zone.startOfDay(day) <= instant)
    #expect(zone.previousDay(before: day) < day)
  }
}
