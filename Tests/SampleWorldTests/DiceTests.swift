import Testing

@testable import SampleWorld

@Suite("Dice")
struct DiceTests {
  @Test func `the same seed, learner and purpose throw the same numbers`() {
    var (one, other) = (Dice(7, of: 3, for: .studies), Dice(7, of: 3, for: .studies))

    #expect((0..<100).allSatisfy { _ in one.next() == other.next() })
  }

  @Test func `another seed, learner, purpose or number throws others`() {
    var all = [
      Dice(7, of: 3, for: .studies), Dice(8, of: 3, for: .studies), Dice(7, of: 4, for: .studies),
      Dice(7, of: 3, for: .answers), Dice(7, of: 3, for: .studies, 1),
    ]

    let throwings = all.indices.map { all[$0].next() }

    #expect(Set(throwings).count == all.count)
  }

  @Test func `what falls in a third of all throws does`() {
    var dice = Dice(1, of: 1, for: .person)

    let count = (0..<30_000).count { _ in dice.falls(1.0 / 3) }

    #expect((9700...10_300).contains(count))
  }

  @Test func `values come as often as they weigh, and every number of a range comes`() {
    var dice = Dice(1, of: 1, for: .person)

    let heavy = (0..<10_000).count { _ in dice.one(weighing: [(3, true), (1, false)]) }
    let numbers = Set((0..<1000).map { _ in dice.number(1...6) })

    #expect((7300...7700).contains(heavy) && numbers == [1, 2, 3, 4, 5, 6])
  }
}
