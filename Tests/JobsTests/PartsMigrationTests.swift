@testable import JobKit

import Jobs
import Migrations
import Postgres
import TestKit
import Testing

/// How far a part has read holds for the learners that it had.
@Suite("Marks of parts in an older schema")
struct PartsMigrationTests {
  @Test(arguments: [14, 20])
  func `parts that have other learners since begin anew, and a job in one piece goes on`(
    from version: Int
  ) throws {
    let stage = try Stage(at: "2026-03-01T13:00:00Z")
    try Schema.learning(upTo: version).migrate(by: "test", at: stage.now, on: stage.connection)
    for parts in 1...3 {
      try stage.connection.run(
        """
        INSERT INTO learning.watermarks
        SELECT 'recommend_review', \(parts), part, '2026-03-01T12:30:00Z', 7
        FROM generate_series(0, \(parts) - 1) AS part
        """)
    }

    try Schema.learning.migrate(by: "test", at: stage.now, on: stage.connection)

    #expect(try stage.text("SELECT string_agg(parts::text, ' ') FROM learning.watermarks") == "1")
  }
}
