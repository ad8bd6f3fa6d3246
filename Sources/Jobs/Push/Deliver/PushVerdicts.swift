import LocalTime
import Postgres

/// What is decided of pushes that were picked, row by row.
struct PushVerdicts {
  private(set) var claim: PushClaim
  private(set) var rows = HandOverRows()

  private let terms: PushClaim.Terms
  private var zones: KnownZones
  private var learners: Set<Int> = []

  init(by terms: PushClaim.Terms, at now: Instant) {
    claim = PushClaim(at: now)
    zones = KnownZones(of: terms.zones)
    self.terms = terms
  }

  /// Decides on what a row of ``DuePush/query(_:at:)`` tells, when it is the learner's first.
  ///
  /// Others are of further devices, or of a second day that is due: that is asked when it is known what
  /// became of the first.
  mutating func decide(on row: Row) throws {
    guard learners.insert(try row[0]).inserted else { return }
    let push = try DuePush(row)
    let handOver = try HandOver.decide(
      push, at: claim.claimedAt, in: &zones, by: terms.rules, saying: terms.messages)
    rows.add(push, handOver)
    claim.note(push, handOver)
  }
}
