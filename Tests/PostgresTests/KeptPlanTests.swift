import Postgres
import TestSupport
import Testing

/// Statements that are run often in the same words: the server keeps their plans, where it is always
/// the same server.
@Suite("Kept plans")
final class KeptPlanTests {
  private let connection: Connection

  init() throws {
    connection = try TestDatabase.connectToSession()
  }

  private var kept: Int {
    get throws { try connection.run("SELECT count(*) FROM pg_prepared_statements").only[0] }
  }

  private func double(_ number: Int) throws -> Int {
    try connection.run(keepingPlanOf: "SELECT 2 * \(number)::bigint").only[0]
  }

  /// Does to the session what a pooler does that hands out another.
  private func forgetPlans() throws {
    try connection.run("DEALLOCATE ALL")
  }

  @Test func `a statement is planned once and run with other values`() throws {
    #expect(try double(1) == 2 && double(21) == 42)
    #expect(try kept == 1)
  }

  @Test func `who asks for no kept plans sends whole statements, in a transaction too`() throws {
    connection.keepNoPlans()

    try connection.transaction { _ throws in
      #expect(try double(1) == 2)
      #expect(try double(21) == 42)
      #expect(try kept == 0)
    }
  }

  @Test func `a server that does not know the plan gets the whole statement, then and later`()
    throws
  {
    _ = try double(1)
    try forgetPlans()

    #expect(try double(21) == 42 && double(4) == 8)
    #expect(try kept == 0)
  }

  @Test func `a server that knows the plan from somebody else is no obstacle`() throws {
    let stranger = try TestDatabase.connectToSession()
    _ = try stranger.run(keepingPlanOf: "SELECT 2 * \(1)::bigint")
    let name: String = try stranger.run("SELECT name FROM pg_prepared_statements").only[0]
    try connection.run(script: "PREPARE \(name) (bigint) AS SELECT 2 * $1")

    #expect(try double(21) == 42)
  }

  @Test func `in a transaction it fails as one that can be tried again, and can`() throws {
    _ = try double(1)
    try forgetPlans()

    let error = #expect(throws: PostgresError.self) {
      try connection.transaction { connection in
        try connection.run(keepingPlanOf: "SELECT 2 * \(21)::bigint")
      }
    }
    let again: Int = try connection.transaction { connection in
      try connection.run(keepingPlanOf: "SELECT 2 * \(21)::bigint").only[0]
    }

    #expect(error?.isRetryable == true)
    #expect(again == 42)
  }

  @Test func `a transaction opens with its first statements, by kept plans`() throws {
    let statement: Statement = "SELECT 2 * \(21)::bigint"
    for _ in 1...2 {
      let answer: Int = try connection.transaction(opening: [statement.keepingPlan]) {
        connection, rows in
        let isOpen = connection.isInTransaction
        #expect(isOpen)
        return (try rows[0].only[0], [])
      }
      #expect(answer == 42)
    }
    let isOpen = connection.isInTransaction
    // The other one sets what holds in such a transaction.
    #expect(try kept == 2 && !isOpen)
  }

  @Test func `what holds in a transaction that opens with statements ends with it`() throws {
    let settings = [
      "plan_cache_mode", "synchronous_commit", "lock_timeout",
      "idle_in_transaction_session_timeout",
    ]
    let asked: Statement = """
      SELECT string_agg(current_setting(name), ' ' ORDER BY at)
      FROM unnest(\(settings)) WITH ORDINALITY AS setting (name, at)
      """
    let before: String = try connection.run(asked).only[0]

    let during: String = try connection.transaction(
      opening: [asked], lockLimit: .milliseconds(1500), isDurable: false
    ) { _, rows in (try rows[0].only[0], []) }
    let durable: String = try connection.transaction(opening: [asked]) { _, rows in
      (try rows[0].only[0], [])
    }

    #expect(during == "force_generic_plan off 1500ms 1min")
    #expect(durable != during && durable.hasPrefix("force_generic_plan "))
    #expect(try connection.run(asked).only[0] == before)
  }

  @Test func `a transaction whose opening fails is rolled back`() throws {
    #expect(throws: PostgresError.self) {
      try connection.transaction(opening: ["SELECT 1 / 0"]) { _, _ in ((), []) }
    }

    let isOpen = connection.isInTransaction
    #expect(try !isOpen && double(1) == 2)
  }

  @Test func `the last statements of a transaction go with its commit`() throws {
    try connection.run(script: "CREATE TEMP TABLE closing (number bigint)")
    for (statement, isKept) in [("INSERT INTO closing VALUES (1)", true), ("SELECT 1 / 0", false)] {
      try? connection.transaction(opening: ["INSERT INTO closing VALUES (0)"]) { _, _ in
        ((), [Statement(verbatim: statement)])
      }
      let isOpen = connection.isInTransaction
      let rows: Int = try connection.run("SELECT count(*) FROM closing").only[0]
      #expect(!isOpen && rows == 2, "\(isKept)")
    }
  }

  @Test func `a plan that somebody else left ends no transaction for good`() throws {
    let stranger = try TestDatabase.connectToSession()
    let statement: Statement = "SELECT 2 * \(21)::bigint"
    _ = try stranger.run(keepingPlanOf: statement)
    let name: String = try stranger.run("SELECT name FROM pg_prepared_statements").only[0]
    try connection.run(script: "PREPARE \(name) (bigint) AS SELECT 2 * $1")

    func open() throws -> Int {
      try connection.transaction(opening: [statement.keepingPlan]) { _, rows in
        (try rows[0].only[0], [])
      }
    }
    let error = #expect(throws: PostgresError.self) { try open() }

    #expect(error?.isRetryable == true)
    #expect(try open() == 42)
  }

  @Test func `a plan for a table that has changed since is made anew`() throws {
    try connection.run(script: "CREATE TEMP TABLE changing (number bigint)")
    try connection.run(keepingPlanOf: "SELECT * FROM changing")
    try connection.run(script: "ALTER TABLE changing ADD COLUMN other bigint")

    #expect(try connection.run(keepingPlanOf: "SELECT * FROM changing").isEmpty)
  }

  @Test func `a transaction that need not last says so to the server, for itself alone`() throws {
    let during: String = try connection.transaction(isDurable: false) { connection in
      try connection.run("SELECT current_setting('synchronous_commit')").only[0]
    }
    let usual: String = try connection.run(
      "SELECT reset_val FROM pg_settings WHERE name = 'synchronous_commit'"
    ).only[0]
    let after: String = try connection.run("SELECT current_setting('synchronous_commit')").only[0]

    #expect(during == "off" && after == usual)
  }
}
