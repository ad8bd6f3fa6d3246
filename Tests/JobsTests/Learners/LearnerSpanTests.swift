import Postgres
import Testing

@testable import Jobs

@Suite("Learners as a condition")
struct LearnerSpanTests {
  private let near = IDRange([3, 4, 11])
  private let far = IDRange([3, 4, 12])

  @Test func `whose rows they are exactly is said by the list`() {
    #expect(near.holds("user_id").text == "user_id = ANY($1)")
  }

  @Test func `with few others in between their ends say it`() {
    #expect(near.mayHold("user_id").text == "user_id BETWEEN $1 AND $2")
  }

  @Test func `with many others in between, and without any learner, the list says it`() {
    #expect(far.mayHold("user_id").text == "user_id = ANY($1)")
    #expect(IDRange([]).mayHold("user_id").text == "user_id = ANY($1)")
  }

  @Test func `a table that is joined with the list is read in one stretch where few others are`() {
    #expect(near.mayJoin("user_id").text == "user_id BETWEEN $1 AND $2")
    #expect(far.mayJoin("user_id").text == "true")
  }

  @Test func `ids may be as far from each other as they can be`() {
    #expect(IDRange([.min, .max]).mayHold("user_id").text == "user_id = ANY($1)")
  }
}
