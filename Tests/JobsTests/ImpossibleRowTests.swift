import Postgres
import TestKit
import TestSupport
import Testing

@testable import Jobs

/// How the few rows are found that cannot be, among very many that can.
@Suite("Rows that cannot be")
struct ImpossibleRowTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-01T12:00:00Z", with: .learning)
    try stage.connection.run(
      script: """
        INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
        SELECT n, 'Ana', 'UTC', '2026-01-01Z', '2026-01-01Z' FROM generate_series(1, 500) AS n;
        INSERT INTO learning.patterns (pattern_id, code, name_ko, name_en) VALUES (1, 'one', 'one', 'one');
        INSERT INTO learning.sessions (user_id, session_id, idempotency_key, category, started_at, ended_at,
          completed, local_day, accuracy, first_try_rate, hint_rate, score, source, server_received_at)
        SELECT n, m, gen_random_uuid(), 'people', '2026-02-01Z', '2026-02-01Z', true, '2026-02-01', 1, 1, 0, 10,
          'online', '2026-02-01Z' FROM generate_series(1, 500) AS n, generate_series(1, 20) AS m;
        INSERT INTO learning.attempts (user_id, attempt_id, pattern_id, correct, hint_used, first_try,
          answered_at, received_at)
        SELECT n, m, 1, true, false, true, '2026-02-01Z', '2026-02-01Z'
        FROM generate_series(1, 500) AS n, generate_series(1, 20) AS m;
        ANALYZE;
        """)
  }

  private func plan(of statement: Statement) throws -> String {
    let rows = try stage.connection.run("EXPLAIN \(statement)")
    return try rows.map { try $0[0, as: String.self] }.joined(separator: "\n")
  }

  @Test func `sessions that cannot be are found by an index of no others`() throws {
    let plan = try plan(
      of: """
        SELECT user_id FROM learning.sessions
        WHERE user_id = ANY(\(Array(1...100))) AND NOT \(Study.canBe("sessions"))
        """)

    #expect(plan.contains("sessions_impossible"), "\(plan)")
  }

  @Test func `attempts that were answered after they were received are found so too`() throws {
    let plan = try plan(
      of: """
        SELECT user_id FROM learning.attempts
        WHERE user_id = ANY(\(Array(1...100))) AND NOT \(PhoneClock.canShow("answered_at", receivedAt: "received_at"))
        """)

    #expect(plan.contains("attempts_impossible"), "\(plan)")
  }
}
