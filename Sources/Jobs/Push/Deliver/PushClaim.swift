internal import Config
import JobKit
import LocalTime
import Postgres
import Push

/// Pushes that were taken in hand in one chunk, and what else was decided there.
struct PushClaim {
  /// When, by the ledger's clock.
  let claimedAt: Instant

  /// How many planned pushes were looked at.
  private(set) var looked = 0

  /// How many are due that others have locked; it is asked when there were no others to look at.
  private(set) var passedOver = 0

  private(set) var claimed: [ClaimedPush] = []

  /// How many were not taken, by reason.
  private(set) var counters = Counters()

  /// A push that counts as sent from now on, unless it certainly was not.
  struct ClaimedPush: Equatable {
    let push: DuePush
    let device: DuePush.Device
    let message: PushMessage

    /// Before when it must be sent: its window ends then, or quiet hours begin.
    let until: Instant
  }

  /// By what is claimed: who claims, and what is judged how.
  struct Terms {
    let owner: PushOwner
    let share: Statement

    /// The moment of the run, by which pushes are due.
    let moment: Instant
    let rules: DeliveryRules
    let messages: MessageCatalogue
    let zones: ZoneDatabase

    /// Whether nothing of it lasts: then nobody else has to be kept out, and a transaction that ends with the
    /// whole run would take more locks than the server has room for.
    var isDryRun = false

    /// When the run claimed first: what is to wait beyond that waits for another run, so that a run ends.
    var begun: Instant?

    /// Whether what others have locked is waited for, instead of passed over.
    var awaitsOthers = false

    /// Into how many windows it divides what it may have in its hands.
    var windows = 1

    /// Whose pushes are on their way: about another day of theirs is asked when it is known what became of those.
    var underWay: Set<Int> = []

    /// How many pushes are looked at at once.
    ///
    /// A dry run has none in its hands, and commits nothing: as the index goes on to show what was claimed, each
    /// window begins by passing over all of it.
    var window: Int { isDryRun ? max(rules.window, 4000) : max(rules.window / windows, 1) }
  }

  /// A claim of nothing so far.
  init(at now: Instant) {
    claimedAt = now
  }
}

extension PushClaim {
  /// Takes the pushes that have been due longest, asks of each again whether it may go out at `now`, and
  /// writes that down, in a transaction that has these ``settings``.
  static func make(
    by terms: Terms, at now: Instant, on connection: borrowing Connection
  ) throws -> PushClaim {
    let picked = try pick(by: terms, at: now, on: connection)
    guard !picked.isEmpty else { return try nothing(by: terms, at: now, on: connection) }
    let verdicts = try decide(on: picked, by: terms, at: now, on: connection)
    guard verdicts.claim.looked > 0 else { return try nothing(by: terms, at: now, on: connection) }
    try verdicts.rows.write(for: terms.owner, at: now, on: connection)
    return verdicts.claim
  }

  private static func nothing(
    by terms: Terms, at now: Instant, on connection: borrowing Connection
  ) throws -> PushClaim {
    var claim = PushClaim(at: now)
    // Nobody else is kept out by a dry run, and for nobody does it wait.
    guard !terms.isDryRun else { return claim }
    claim.passedOver = try connection.run(
      "SELECT count(*) FROM learning.notifications WHERE \(areDue(by: terms, at: now))"
    ).only[0]
    return claim
  }

  /// Reads what there is to know in slices: while the worker decides on one, the server reads the next.
  private static func decide(
    on picked: [PlannedPush], by terms: Terms, at now: Instant, on connection: borrowing Connection
  ) throws -> PushVerdicts {
    var verdicts = PushVerdicts(on: picked, by: terms, at: now)
    var read: [Rows] = []
    for coming in slices(of: picked).map({ [DuePush.query($0, at: now).keepingPlan] }) + [[]] {
      read = try connection.pipeline(coming, whileEach: read.joined()) { row in
        try verdicts.decide(by: row)
      }
    }
    try decideOnContested(in: &verdicts, at: now, on: connection)
    return verdicts
  }

  /// Decides on learners of whom another deliverer may have another day in hand, as far as none has.
  ///
  /// To lock all their days is what keeps two deliverers from sending one each: what is read after it sees what the
  /// other has claimed. It is rows that are locked, which takes the right to write them: numbers a reader could lock too.
  private static func decideOnContested(
    in verdicts: inout PushVerdicts, at now: Instant, on connection: borrowing Connection
  ) throws {
    let contested = verdicts.contested
    guard !contested.isEmpty else { return }
    let days = DuePush.plannedDays(of: contested)
    let locked = try connection.run("SELECT other.user_id \(days) FOR UPDATE OF other SKIP LOCKED")
    var others: [Int: Int] = [:]
    for row in try connection.run("SELECT other.user_id \(days)") {
      others[try row[0], default: 0] += 1
    }
    for row in locked { others[try row[0], default: 0] -= 1 }
    let own = contested.filter { others[$0.learner, default: 0] <= 0 }
    guard !own.isEmpty else { return }
    verdicts.reopen(own)
    for row in try connection.run(DuePush.query(own[...], at: now)) { try verdicts.decide(by: row) }
  }

  /// Keeps a crash of the server from forgetting a claim whose pushes have left: they would leave again.
  ///
  /// A role may be set to commit without waiting for the disk. Of pushes that leave nowhere nothing can leave again.
  static func settings(leaving: Bool) -> Statement {
    guard leaving else { return PlanSettings.byIndex }
    return """
      \(PlanSettings.byIndex), CASE current_setting('synchronous_commit') WHEN 'off'
        THEN set_config('synchronous_commit', 'on', true) END
      """
  }

  mutating func note(_ push: DuePush, _ decision: DeliveryDecision) {
    looked += 1
    switch decision {
    case .send(let message, let device, let until):
      claimed.append(ClaimedPush(push: push, device: device, message: message, until: until))
    case .suppressed(let reason): counters.count("suppressed", because: "\(reason)")
    case .expired: counters.count("expired")
    case .failed: counters.count("failed")
    }
  }
}

extension PushClaim {
  /// Locks the rows to be looked at.
  ///
  /// A learner may have two days planned at once, after a flight: of them the first alone is picked, as
  /// about the other is asked when it is known what became of it.
  private static func pick(
    by terms: Terms, at now: Instant, on connection: borrowing Connection
  ) throws -> [PlannedPush] {
    var learners = terms.underWay
    if terms.awaitsOthers { try connection.run(shortWait) }
    return try connection.run(keepingPlanOf: picking(by: terms, at: now)).map(PlannedPush.init)
      .filter { learners.insert($0.learner).inserted }
  }

  /// Those that are due first come first.
  static func picking(by terms: Terms, at now: Instant) -> Statement {
    let passing: Statement = terms.awaitsOthers ? "" : "SKIP LOCKED"
    return """
      SELECT \(PlannedPush.columns)
      FROM (
        SELECT *, ctid FROM learning.notifications
        WHERE \(areDue(by: terms, at: now))
        ORDER BY due_at LIMIT \(terms.window)
        FOR UPDATE \(passing)
      ) AS push
      LEFT JOIN learning.patterns AS pattern ON pattern.code = push.pattern_code
      ORDER BY due_at, user_id, local_day
      """
  }

  private static func areDue(by terms: Terms, at now: Instant) -> Statement {
    """
    state = 'planned' AND \(areOpen) AND due_at <= \(terms.moment)
      AND (not_before IS NULL OR not_before <= \(terms.begun ?? now)) AND \(terms.share)
    """
  }

  /// Less than what Postgres takes to find a deadlock: of two that wait for each other it is this one that lets go.
  private static let shortWait: Statement = "SELECT set_config('lock_timeout', '250ms', true)"

  /// What has not come to an end: what the index of pushes by their minute holds.
  static let areOpen: Statement = "(sent_at IS NULL AND ended_at IS NULL)"

  private static func slices(of picked: [PlannedPush]) -> [ArraySlice<PlannedPush>] {
    stride(from: 0, to: picked.count, by: slice).map { picked[$0...].prefix(slice) }
  }

  /// How many pushes are read at once.
  private static let slice = 100
}

extension PushClaim {
  /// Counts what was looked at: what was claimed counts as done when it has been sent.
  func count(in progress: inout Progress) {
    progress.done += looked - claimed.count
    progress.counters.add(counters)
    for sending in claimed { progress.addExample(sending.example) }
  }
}

extension PushClaim.ClaimedPush {
  /// As in `learner 17: a push for 2026-03-01, 'Today's sentences are ready'`.
  fileprivate var example: String {
    "learner \(push.learner.id): a push for \(push.plan.localDay), \(message.title.inQuotes)"
  }
}
