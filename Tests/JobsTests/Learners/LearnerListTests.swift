@testable import Jobs

import Postgres
import TestKit
import TestSupport
import Testing

@Suite("A list of learners")
struct LearnerListTests {
  @Test func `united with another holds each learner once, in order`() {
    var numbers = SplitMix(state: 1)
    for _ in 0..<200 {
      let (some, others) = (Self.learners(&numbers), Self.learners(&numbers))

      let union = LearnerList(some.sorted()).union(LearnerList(others.sorted()))

      #expect(union.ids == some.union(others).sorted(), "\(some.sorted()) and \(others.sorted())")
    }
  }

  @Test(arguments: [1, 2, 3, 4, 7])
  func `holds everybody in order, however many are asked for at a time`(most: Int) throws {
    let stage = try Stage(at: "2026-03-01T12:00:00Z", with: .learning)
    try stage.connection.run(
      script: """
        INSERT INTO learning.users (user_id, display_name, zone, created_at, changed_at)
        SELECT n * n, 'Ana', 'UTC', '2026-01-01Z', '2026-01-01Z' FROM generate_series(1, 6) AS n;
        """)

    let everyone = try LearnerList(on: stage.connection, inStretchesOf: most)

    #expect(everyone.ids == [1, 4, 9, 16, 25, 36])
  }

  private static func learners(_ numbers: inout SplitMix) -> Set<Int> {
    Set(
      (0..<Int.random(in: 0...12, using: &numbers)).map { _ in .random(in: 0...20, using: &numbers)
      })
  }
}
