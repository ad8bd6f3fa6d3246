import LocalTime
import Postgres
import TestKit
import Testing

@testable import Jobs

@Suite("Sessions that can be, and those that cannot")
struct StudyTests {
  @Test(arguments: [
    ("2026-03-01T10:00:00Z", "2026-03-01T10:20:00Z", "2026-03-01", ""),
    ("2026-03-01T10:20:00Z", "2026-03-01T10:20:00Z", "2026-02-28", ""),
    ("2026-03-01T10:00:00Z", "2026-03-01T10:20:00Z", "2026-03-02", ""),
    ("2026-03-01T10:21:00Z", "2026-03-01T10:20:00Z", "2026-03-01", "ends_before_it_starts"),
    ("2026-03-01T10:00:00Z", "2026-03-01T11:10:00Z", "2026-03-01", ""),
    ("2026-03-01T10:00:00Z", "2026-03-01T11:10:01Z", "2026-03-01", "ends_after_it_was_received"),
    ("2026-03-01T10:00:00Z", "2026-03-01T10:20:00Z", "2026-03-03", "ends_on_another_day"),
    ("2026-03-01T10:00:00Z", "2026-03-01T10:20:00Z", "2569-03-01", "ends_on_another_day"),
    ("2026-03-01T10:00:00Z", "2026-03-01T10:20:00Z", "infinity", "ends_on_another_day"),
  ])
  func `a session that cannot be has one word for why`(
    start: String, end: String, day: String, flaw: String
  ) throws {
    let stage = try Stage(at: "2026-03-01T12:00:00Z")

    let row = try stage.connection.run(
      """
      SELECT CASE WHEN \(Study.canBe("one")) THEN '' ELSE \(Study.flaw(of: "one")) END AS flaw
      FROM (SELECT \(start)::timestamptz AS started_at, \(end)::timestamptz AS ended_at,
        '2026-03-01T11:00:00Z'::timestamptz AS server_received_at, \(day)::date AS local_day) AS one
      """
    ).only

    #expect(try row["flaw"] == flaw)
  }

  @Test func `a row that was written by another server is not new for that`() throws {
    let stage = try Stage(at: "2026-03-01T12:00:00Z")
    let mark = Watermark(seenUntil: try Instant("2026-03-01T11:00:00Z"), seenIn: 5, ahead: 9)

    let new = try stage.connection.run(
      """
      SELECT \(mark.isNew("received", "written")) AS is_new
      FROM (VALUES ('2026-03-01T11:00:01Z'::timestamptz, 4), ('2026-03-01T11:00:00Z', 4),
        ('2026-03-01T10:00:00Z', 5), ('2026-03-01T10:00:00Z', 4000000000000)) AS row (received, written)
      """
    ).map { try $0["is_new", as: Bool.self] }

    #expect(new == [true, false, true, false])
  }
}
