import JobKit
import LocalTime
import Postgres
import TestKit
import Testing

@testable import Jobs

@Suite("The part of the window that a learner gets")
struct PushThirdTests {
  private let stage: PushStage

  init() throws {
    stage = try PushStage(at: "2026-03-01T03:00:00Z")
    try stage.add(1)
    try stage.study(1, 1, end: "2026-02-28T19:00")
  }

  /// Pushes of a row of days that were due so many minutes into a window of 45, of which some were opened.
  private func hand(_ days: ClosedRange<Int>, minute: Int, opened: Int) throws {
    try stage.stage.connection.run(
      """
      INSERT INTO learning.notifications (user_id, local_day, state, kind, zone, window_from, window_to,
        due_at, template, planned_at, sent_at)
      SELECT 1, '2026-03-01'::date - n, 'sent', 'reminder', 'Asia/Seoul', at, at + interval '45 minutes',
        due, 'basic', at, due
      FROM generate_series(\(days.lowerBound)::integer, \(days.upperBound)::integer) AS n,
        LATERAL (SELECT '2026-03-01T11:00Z'::timestamptz - n * interval '1 day') AS w (at),
        LATERAL (SELECT at + make_interval(mins => \(minute)::integer)) AS d (due)
      """)
    try stage.stage.connection.run(
      """
      INSERT INTO learning.notification_events (user_id, local_day, event, at)
      SELECT user_id, local_day, 'push_opened', sent_at + interval '5 minutes' FROM learning.notifications
      WHERE local_day > '2026-03-01'::date - \(days.lowerBound + opened)::integer
        AND local_day <= '2026-03-01'::date - \(days.lowerBound)::integer
      """)
  }

  private func minuteLine() throws -> String {
    let lines = try stage.job.explain(
      1, on: nil, at: stage.stage.now, in: stage.stage.zones, stage.stage.connection
    ).lines
    return try #require(lines.first { $0.hasPrefix("its minute") })
  }

  @Test func `is the one with the best open rate, not that with the most opens`() throws {
    try hand(2...21, minute: 40, opened: 6)
    try hand(30...34, minute: 0, opened: 5)

    #expect(
      try minuteLine().hasSuffix(
        ", in the first third of the window, of whose pushes most are opened"))
  }

  @Test func `is any while fewer than five were opened of the pushes of 60 days`() throws {
    try hand(2...21, minute: 40, opened: 4)
    try hand(61...70, minute: 0, opened: 10)

    #expect(try !minuteLine().contains("third"))
  }
}
