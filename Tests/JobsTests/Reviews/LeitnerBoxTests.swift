import LocalTime
import Testing

@testable import Jobs

@Suite("The boxes of the Leitner strategy")
struct LeitnerBoxTests {
  /// Where a pattern is after answers, oldest first, on days counted from the first of March 2026.
  private func place(_ answers: String, on days: [Int]) throws -> LeitnerBox {
    let first = try CivilDate("2026-03-01")
    let dates = days.map { first.advanced(by: $0) }
    return try #require(
      LeitnerBox(MeasureTests.answers(answers), on: dates, under: ReviewRules()))
  }

  @Test(arguments: [
    ("-", [0], 1, "2026-03-02"),
    ("+", [0], 2, "2026-03-03"),
    ("++", [0, 2], 3, "2026-03-07"),
    ("+++", [0, 2, 6], 4, "2026-03-15"),
    ("++++", [0, 2, 6, 14], 5, "2026-03-31"),
    ("+++++", [0, 2, 6, 14, 30], 5, "2026-04-16"),
    ("+++-", [0, 2, 6, 7], 1, "2026-03-09"),
    ("-+", [0, 1], 2, "2026-03-04"),
  ])
  func `right on the day when it is due moves a pattern up, wrong on any day to the first box`(
    answers: String, days: [Int], box: Int, due: String
  ) throws {
    let place = try place(answers, on: days)

    #expect(place.box == box)
    #expect("\(place.dueOn)" == due)
  }

  @Test func `one session does not bring a pattern from the first box to the last`() throws {
    let place = try place("+++++", on: [0, 0, 0, 1, 1])

    #expect(place.box == 2)
    #expect("\(place.dueOn)" == "2026-03-03")
  }

  @Test func `a pattern without answers is in no box`() {
    #expect(LeitnerBox(Answers([]), on: [], under: ReviewRules()) == nil)
  }
}
