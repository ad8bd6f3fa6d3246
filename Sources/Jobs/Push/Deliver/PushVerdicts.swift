import LocalTime
import Postgres

/// What is decided of pushes that were picked, row by row.
struct PushVerdicts {
  private(set) var claim: PushClaim
  private(set) var rows = DeliveryDecisionRows()

  private let terms: PushClaim.Terms
  private var zones: KnownZones

  /// Those on which is not decided yet, by their learners.
  private var open: [Int: PlannedPush]

  /// Those whose learners have another day planned, which somebody else may have in hand.
  private(set) var contested: [PlannedPush] = []
  private var hasAllDays = false

  init(on pushes: [PlannedPush], by terms: PushClaim.Terms, at now: Instant) {
    open = Dictionary(uniqueKeysWithValues: pushes.map { ($0.learner, $0) })
    claim = PushClaim(at: now)
    zones = KnownZones(of: terms.zones)
    self.terms = terms
  }

  /// Decides by what a row of ``DuePush/query(_:at:)`` tells, when it is the learner's first: others are of
  /// further devices.
  mutating func decide(by row: Row) throws {
    guard let plan = open.removeValue(forKey: try row[0]) else { return }
    guard try terms.isDryRun || hasAllDays || !DuePush.hasOtherDay(row) else {
      contested.append(plan)
      return
    }
    let push = try DuePush(plan, row)
    let decision = try DeliveryDecision.decide(
      push, at: claim.claimedAt, in: &zones, by: terms.rules, saying: terms.messages)
    rows.add(push, decision)
    claim.note(push, decision)
  }

  /// Lets be decided on contested ones after all: every day of theirs is in nobody else's hands.
  mutating func reopen(_ pushes: [PlannedPush]) {
    hasAllDays = true
    for push in pushes { open[push.learner] = push }
  }
}
