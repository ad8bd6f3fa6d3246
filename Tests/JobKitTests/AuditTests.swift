import JobKit
import Ledger
import LocalTime
import Testing

@Suite("Audit")
struct AuditTests {
  private func moments(_ minutes: Int...) -> [Instant] {
    minutes.map { Instant(secondsSince1970: $0 * 60) }
  }

  private func row(_ first: Int, _ last: Int? = nil, _ state: RunState = .succeeded) -> Audit.Row {
    Audit.Row(
      first: Instant(secondsSince1970: first * 60),
      last: Instant(secondsSince1970: (last ?? first) * 60), state: state)
  }

  @Test func `every tick that has a row is accounted for, by state`() {
    let audit = Audit(
      expecting: moments(1, 2, 3), found: [row(1), row(2, nil, .skipped), row(3)])

    #expect(audit.accounted == [.succeeded: 2, .skipped: 1])
    #expect(audit.isComplete)
    #expect(audit.foreign.isEmpty)
  }

  @Test func `a row of collapsed ticks accounts for each of them`() {
    let audit = Audit(
      expecting: moments(1, 2, 3, 4, 5), found: [row(1), row(2, 4, .collapsed), row(5)])

    #expect(audit.accounted == [.succeeded: 2, .collapsed: 3])
    #expect(audit.isComplete)
  }

  @Test func `a tick without a row is named`() {
    let audit = Audit(expecting: moments(1, 2, 3), found: [row(1), row(3)])

    #expect(audit.missing == moments(2))
    #expect(!audit.isComplete)
  }

  @Test(arguments: [[0, 2], [2, 9]])
  func `a row that the schedule has no tick for is named`(minutes: [Int]) {
    let audit = Audit(expecting: moments(2), found: minutes.map { row($0) })

    #expect(audit.isComplete)
    #expect(audit.foreign.count == 1)
  }

  @Test func `no rows at all leave every tick missing`() {
    #expect(Audit(expecting: moments(1, 2), found: []).missing == moments(1, 2))
    #expect(Audit(expecting: [], found: []).isComplete)
  }
}
