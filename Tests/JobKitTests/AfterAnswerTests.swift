@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import TestKit
import Testing

/// Every way in which two jobs may stand that a tick waits for, held against a table in words.
@Suite("What becomes of a tick that waits")
struct AfterAnswerTests {
  /// How a job stands.
  private enum Standing: String, CaseIterable {
    case undecided, forgotten, waiting, due, held, running, succeeded, failed, cancelled, skipped,
      missed, collapsed
    case failedAndRunByHand = "failed_and_run_by_hand"
    case missedAndFilledIn = "missed_and_filled_in"

    var job: JobName { get throws { try JobName(rawValue) } }

    /// What a tick does beside it, in the words of docs/chains.md.
    func answer(_ failed: After.Answer, _ missing: After.Answer) -> After.Answer {
      switch self {
      case .succeeded, .failedAndRunByHand, .missedAndFilledIn: .run
      case .failed, .cancelled: failed
      case .forgotten, .skipped, .missed, .collapsed: missing
      case .undecided, .waiting, .due, .held, .running: .wait
      }
    }

    var hasFailed: Bool { self == .failed || self == .cancelled }
  }

  private struct Case {
    let standings: [Standing]
    let failed: After.Answer
    let missing: After.Answer
    let isOver: Bool
    let isPaused: Bool

    var expected: String {
      let answers = standings.map { $0.answer(failed, missing) }
      if answers.contains(.skip) { return "skipped" }
      let unmet = zip(standings, answers).filter { $0.1 == .wait }.map(\.0)
      let mayRun = unmet.isEmpty || isOver && missing == .run && !unmet.contains(where: \.hasFailed)
      if mayRun, !isPaused { return "due" }
      return isOver ? "missed" : "waiting"
    }
  }

  private static var cases: [Case] {
    var cases: [Case] = []
    for one in Standing.allCases {
      for other in Standing.allCases {
        for failed in After.Answer.allCases {
          for missing in After.Answer.allCases {
            for isOver in [false, true] {
              for isPaused in [false, true] {
                cases.append(
                  Case(
                    standings: [one, other], failed: failed, missing: missing, isOver: isOver,
                    isPaused: isPaused))
              }
            }
          }
        }
      }
    }
    return cases
  }

  @Test func `it goes as the table says, in all 7,056 cases`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    let cases = Self.cases
    try enter(on: stage)
    try enter(cases, on: stage)

    let jobs = [try ScheduledJob.sample("settle"), try .sample("paused")]
    while try !stage.decide(jobs).isEmpty {}

    let states = try stage.connection.run(
      "SELECT state FROM jobkit.run WHERE job IN ('settle', 'paused') ORDER BY id"
    ).map { row throws(PostgresError) in try row[0, as: String.self] }
    let wrong = zip(cases, states).filter { $0.expected != $1 }
    #expect(cases.count == 7056 && states.count == cases.count)
    #expect(wrong.isEmpty, "\(wrong.count), such as \(wrong.prefix(3))")
  }

  /// Enters a job for each standing, with its run of ten o'clock, and two jobs that come after them.
  private func enter(on stage: Stage) throws {
    let now = try stage.now
    try Ledger.enter(
      try Standing.allCases.map { try $0.job } + ["settle", "paused"], at: now, on: stage.connection
    )
    try stage.connection.run(
      script: """
        UPDATE jobkit.job SET decided_until = decided_until - interval '1 minute' WHERE name = 'undecided';
        UPDATE jobkit.job SET paused_at = 'epoch', paused_by = 'ana', pause_reason = 'incident' WHERE name = 'paused';
        """)
    for standing in Standing.allCases {
      switch standing {
      case .undecided, .forgotten: break
      case .failedAndRunByHand: try enter("failed", "schedule", of: standing, on: stage)
      case .missedAndFilledIn: try enter("missed", "schedule", of: standing, on: stage)
      default: try enter(standing.rawValue, "schedule", of: standing, on: stage)
      }
    }
    try enter("succeeded", "manual", of: .failedAndRunByHand, on: stage)
    try enter("succeeded", "backfill", of: .missedAndFilledIn, on: stage)
  }

  private func enter(
    _ state: String, _ trigger: String, of standing: Standing, on stage: Stage
  ) throws {
    let now = try stage.now
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, fate, reason, first_tick, ticks, started_at,
        finished_at, parts_left, decided_at, decided_by, after_jobs, after_ticks, after_until, after_failed,
        after_missing)
      SELECT \(standing.job), CASE WHEN is_many THEN \(now) + interval '1 day' ELSE \(now) END, \(trigger), state,
        CASE WHEN is_many THEN 'missed' END, 'test', CASE WHEN is_many THEN \(now)::timestamptz END,
        CASE WHEN is_many THEN 9 ELSE 1 END,
        CASE WHEN state IN ('running', 'succeeded', 'failed', 'held', 'cancelled') THEN \(now)::timestamptz END,
        CASE WHEN is_over THEN \(now)::timestamptz END, CASE WHEN is_over THEN 0 ELSE 1 END, \(now), 'test',
        CASE WHEN waits THEN '{other}'::text[] END, CASE WHEN waits THEN ARRAY[\(now)::timestamptz] END,
        CASE WHEN waits THEN \(now)::timestamptz END, CASE WHEN waits THEN 'skip' END,
        CASE WHEN waits THEN 'skip' END
      FROM (SELECT \(state)::text AS state, \(state)::text = 'collapsed' AS is_many,
        \(state)::text = 'waiting' AS waits,
        \(state)::text NOT IN ('waiting', 'due', 'held', 'running') AS is_over) AS wanted
      """)
  }

  /// Enters a tick that waits for each case, each a microsecond later.
  private func enter(_ cases: [Case], on stage: Stage) throws {
    let now = try stage.now
    try stage.connection.run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, exclusive, decided_at, decided_by, after_jobs,
        after_ticks, after_until, after_failed, after_missing)
      SELECT job, \(now) + number * interval '1 microsecond', 'schedule', 'waiting', false, \(now), 'test',
        ARRAY[one, other], ARRAY[\(now)::timestamptz, \(now)], until, failed, missing
      FROM unnest(
        \(cases.map { $0.isPaused ? "paused" : "settle" }), \(cases.map(\.standings[0].rawValue)),
        \(cases.map(\.standings[1].rawValue)), \(cases.map { $0.isOver ? now : now + .seconds(1) }),
        \(cases.map(\.failed.rawValue)), \(cases.map(\.missing.rawValue))
      ) WITH ORDINALITY AS wanted (job, one, other, until, failed, missing, number)
      ORDER BY number
      """)
  }
}
