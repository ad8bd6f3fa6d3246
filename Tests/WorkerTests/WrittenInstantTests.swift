import LocalTime
import TestSupport
import Testing

@testable import WorkerProgram

/// Instants as people write them on the command line, at a moment that is given.
@Suite("Written instants")
struct WrittenInstantTests {
  private static let zones = Result { try ZoneDatabase(root: TestEnvironment.zoneinfo) }

  private func written(_ text: String, in zone: String) throws -> WrittenInstant {
    WrittenInstant(
      text: text, zone: try Self.zones.get().zone(named: zone),
      now: try Instant("2026-11-27T15:40:00Z"))
  }

  @Test(arguments: [
    ("2026-03-08T07:00:00Z", "2026-03-08T07:00:00Z"),
    ("2026-03-08T02:00:00-05:00", "2026-03-08T07:00:00Z"),
    ("2026-03-08 07:00:00Z", "2026-03-08T07:00:00Z"),
    ("2026-11-26", "2026-11-25T15:00:00Z"),
    ("2026-11-26 10:02", "2026-11-26T01:02:00Z"),
    ("2026-11-27T10:00", "2026-11-27T01:00:00Z"),
    ("2026-11-27T10:00:30", "2026-11-27T01:00:30Z"),
    // In Seoul the 28th has begun.
    ("today", "2026-11-27T15:00:00Z"), ("Yesterday", "2026-11-26T15:00:00Z"),
    ("tomorrow", "2026-11-28T15:00:00Z"), ("now", "2026-11-27T15:40:00Z"),
    ("7d", "2026-11-20T15:40:00Z"), ("2h ago", "2026-11-27T13:40:00Z"),
    ("in 1h30m", "2026-11-27T17:10:00Z"),
  ])
  func `an instant may be exact, local, a day or a while away`(
    text: String, instant: String
  ) throws {
    #expect(try written(text, in: "Asia/Seoul").read() == Instant(instant))
  }

  @Test(arguments: [("2h", "2026-11-27T17:40:00Z"), ("2h ago", "2026-11-27T13:40:00Z")])
  func `of an end a bare length is counted from now on`(text: String, instant: String) throws {
    var written = try written(text, in: "UTC")
    written.isToCome = true

    #expect(try written.read() == Instant(instant))
  }

  @Test(arguments: [
    (
      "soon",
      "write 2026-03-08T07:00:00Z, a local date or time such as 2026-03-08 or '2026-03-08 02:00',"
        + " yesterday, today, tomorrow, or a while ago such as 2h"
    ),
    ("2026-02-30", "'2026-02-30' is no day of its month: write 01 to 28"),
    (
      "2026-03-08 02:30",
      "clocks in America/New_York jump over that time: write 2026-03-08T03:00:00-04:00, the first"
        + " after it"
    ),
    (
      "2026-11-01 01:30",
      "clocks in America/New_York show that time twice: write 2026-11-01T01:30:00-04:00 or"
        + " 2026-11-01T01:30:00-05:00"
    ),
  ])
  func `what is no instant, or two, is refused with what to write`(
    text: String, reason: String
  ) throws {
    let written = try written(text, in: "America/New_York")

    let refused = #expect(throws: WrittenInstant.Refused.self) { try written.read() }
    #expect(refused?.description == reason)
  }
}
