import LocalTime
import Testing

@testable import struct LocalTime.Folder

/// Files that cannot be used are refused with the reason.
struct ZoneFileTests {
  private let newYork: [UInt8]

  init() throws {
    newYork = try Folder(path: Given.variable("WORKER_TEST_ZONEINFO")).bytes(of: "America/New_York")
  }

  /// Where the second header begins: after the first and its data.
  private var second: Int {
    newYork.indices.dropFirst(44).first { newYork[$0...].starts(with: Array("TZif".utf8)) } ?? 0
  }

  private func expectRefusal(of bytes: [UInt8], _ message: String) {
    let error = #expect(throws: ZoneFileError.self) { try Zone(name: "X", file: bytes) }

    #expect(error?.description == message)
  }

  /// New York with some bytes of the second header, or from where its data begins, replaced.
  private func newYork(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
    var file = newYork
    file.replaceSubrange(second + offset..<second + offset + bytes.count, with: bytes)
    return file
  }

  @Test func `a file that is no zone file`() {
    expectRefusal(of: [], "it is no TZif file")
    expectRefusal(of: Array("# tzdb".utf8), "it is no TZif file")
  }

  @Test func `a file of the first version, which ends in 2037`() {
    var old = newYork
    old[4] = 0
    expectRefusal(
      of: old,
      "it is TZif version 1, which ends in 2037: build the zone data with a zic of 2014 or later")
  }

  @Test func `a file that counts leap seconds`() {
    expectRefusal(
      of: newYork(28, [0, 0, 0, 27]),
      "it counts leap seconds, as files under 'right' do: use the files without them")
  }

  @Test func `a file cut short at any byte`() {
    for size in 0..<newYork.count {
      #expect(throws: ZoneFileError.self) {
        try Zone(name: "X", file: Array(newYork.prefix(size)))
      }
    }
    expectRefusal(
      of: Array(newYork.prefix(60)), "it ends after 60 bytes where at least 95 are announced")
    expectRefusal(
      of: newYork(32, [127, 255, 255, 255]),
      "it ends after 1744 bytes where at least 19327352970 are announced")
  }

  @Test func `a file that contradicts itself`() {
    let count = Int(newYork[second + 34]) << 8 | Int(newYork[second + 35])
    let types = 44 + 9 * count
    expectRefusal(
      of: newYork(0, [0]), "it contradicts itself: its second header is missing")
    expectRefusal(of: newYork(20, [255]), "it contradicts itself: a count is negative")
    expectRefusal(
      of: newYork(36, [0, 0, 0, 0]), "it contradicts itself: it has no local time types")
    expectRefusal(
      of: newYork(44 + 8, [127]), "it contradicts itself: a change lies beyond all time")
    expectRefusal(
      of: newYork(44 + 16, [128]), "it contradicts itself: its changes are not in order")
    expectRefusal(
      of: newYork(44 + 8 * count, [99]),
      "it contradicts itself: a change names local time type 99 of 5")
    expectRefusal(
      of: newYork(types, [127, 255, 255, 255]),
      "it contradicts itself: an offset of 2147483647 seconds is more than a day")
  }

  @Test(arguments: [
    ("EST5EDT,M3.2.0,M11.1.0", "\nEST5EDT,M3.2.0,M13.1.0\n", "its footer is no POSIX rule"),
    ("EST5EDT,M3.2.0,M11.1.0", "\nEST5EDT\n", "its footer is no POSIX rule"),
    ("EST5EDT,M3.2.0,M11.1.0", "\nEST5EDT,M3.2.0,M11.1.0,\n", "its footer is no POSIX rule"),
    ("EST5EDT,M3.2.0,M11.1.0", "\nEST99\n", "its footer is no POSIX rule"),
    ("EST5EDT,M3.2.0,M11.1.0", "\nEST6\n", "its footer disagrees with its last change"),
    ("EST5EDT,M3.2.0,M11.1.0", "\nEST5EDT,M3.2.0,M11.1.0", "its footer is not a line of its own"),
    ("EST5EDT,M3.2.0,M11.1.0", "?EST5EDT,M3.2.0,M11.1.0\n", "its footer is not a line of its own"),
  ])
  func `a footer that is no rule`(rule: String, footer: String, reason: String) {
    let bytes = newYork.dropLast(rule.utf8.count + 2) + Array(footer.utf8)

    expectRefusal(of: Array(bytes), "it contradicts itself: \(reason)")
  }

  @Test(arguments: [
    ("\nEST5EDT4,M3.2.0/2:00:00,M11.1.0/+2\n", -14_400, -18_000),
    ("\n<-05>+05:00<-04>,J60/-1:30,J300/26\n", -14_400, -18_000),
    ("\nEST5EDT,59,299\n", -14_400, -18_000), ("\nEST5EDT,J1/0,J365/25\n", -14_400, -14_400),
    ("\nEDT4\n", -14_400, -14_400), ("\n\n", -14_400, -14_400),
  ])
  func `rules in all their shapes are understood`(footer: String, summer: Int, winter: Int) throws {
    let bytes = newYork.dropLast(24) + Array(footer.utf8)

    let zone = try Zone(name: "X", file: Array(bytes))

    for year in [2050, 2250] {
      #expect(zone.offset(at: try instant("\(year)-07-01T00:00:00Z")) == summer)
      #expect(zone.offset(at: try instant("\(year)-12-15T00:00:00Z")) == winter)
    }
  }

  @Test(arguments: [
    ("J59", "2052-02-28", "2053-02-28"), ("J60", "2052-03-01", "2053-03-01"),
    ("58", "2052-02-28", "2053-02-28"), ("59", "2052-02-29", "2053-03-01"),
    ("M2.5.4", "2052-02-29", "2053-02-27"), ("M3.1.6", "2052-03-02", "2053-03-01"),
  ])
  func `a rule knows its day in leap years and others`(
    start: String, leap: String, other: String
  ) throws {
    let bytes = newYork.dropLast(24) + Array("\nEST5EDT,\(start)/3,J300\n".utf8)

    let zone = try Zone(name: "X", file: Array(bytes))

    for day in [leap, other] {
      let change = try instant("\(day)T03:00:00-05:00")
      #expect(zone.offset(at: change.advanced(bySeconds: -1)) == -18_000)
      #expect(zone.offset(at: change) == -14_400)
    }
  }
}
