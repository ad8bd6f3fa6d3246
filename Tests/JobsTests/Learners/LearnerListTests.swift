@testable import Jobs

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

  private static func learners(_ numbers: inout SplitMix) -> Set<Int> {
    Set(
      (0..<Int.random(in: 0...12, using: &numbers)).map { _ in .random(in: 0...20, using: &numbers)
      })
  }
}
