import JobKit
import Jobs
import LocalTime
import Migrations
import Postgres
import TestSupport
import Testing

/// An app that deletes a learner needs no right to the tables that jobs derive of one.
@Suite("Rights around learners who have measures")
struct ForgottenLearnerRightsTests {
  private let server: PrivateServer

  init() throws {
    server = try PrivateServer()
  }

  private func run(_ script: String, as role: String) throws {
    try Connection(to: Server(server.url(user: role))).run(script: script)
  }

  private static let learner = """
    INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
    VALUES (1, 'Ana', 'Asia/Seoul', '2026-01-01Z', '2026-01-01Z');
    """

  private static let measure = """
    INSERT INTO learning.pattern_conquest (user_id, pattern_id, ewma, hint_rate, first_try_rate, conquest, trend,
      attempts, measured_at)
    VALUES (1, 1, 1, 0, 1, 1, 'steady', 5, '2026-03-10T16:00:00Z');
    """

  @Test func `who may delete learners needs no right to what jobs have derived of them`() throws {
    let connection = try server.connect()
    try Schema.learning.migrate(
      by: "test", at: LedgerClock.database.now(on: connection), on: connection)
    try connection.run(
      script: Self.learner + Self.measure + """
        CREATE ROLE app LOGIN;
        GRANT USAGE ON SCHEMA learning TO app; GRANT SELECT, DELETE ON learning.users TO app;
        """)

    try run("DELETE FROM learning.users", as: "app")

    #expect(try connection.run("SELECT FROM learning.pattern_conquest").isEmpty)
    #expect(try connection.run("SELECT FROM learning.review_learners").isEmpty)
  }
}
