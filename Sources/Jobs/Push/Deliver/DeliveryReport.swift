import JobKit
import LocalTime
import Postgres
import Push

/// What became of pushes that one owner had in its hands, until it is written down.
struct DeliveryReport: Sendable {
  let owner: PushOwner

  /// When they were claimed: what the owner has claimed again since is another report's.
  private let claimedAt: Instant

  /// How many of them the transport was asked to take.
  private var tried = 0

  private var users: [Int] = []
  private var days: [CivilDate] = []
  private var states: [String] = []
  private var reasons: [String?] = []
  private var tries: [Int] = []
  private var waits: [Instant?] = []
  private var deadTokens: [String?] = []

  /// How a try ended that its provider did not take, and by what the provider knows what it took.
  private var answers: [String?] = []
  private var names: [String?] = []

  init(of owner: PushOwner, claimedAt: Instant) {
    self.owner = owner
    self.claimedAt = claimedAt
  }

  var isEmpty: Bool { users.isEmpty }

  /// By what a journal knows its pushes.
  var ids: [String] { zip(users, days).map { DuePush.id(of: $0, on: $1) } }

  /// What of it was certainly not sent.
  var unsent: DeliveryReport {
    let kept = states.indices.filter { states[$0] == "planned" }
    var report = DeliveryReport(of: owner, claimedAt: claimedAt)
    (report.users, report.days) = (kept.map { users[$0] }, kept.map { days[$0] })
    (report.states, report.reasons) = (kept.map { states[$0] }, kept.map { reasons[$0] })
    (report.tries, report.waits) = (kept.map { tries[$0] }, kept.map { waits[$0] })
    (report.deadTokens, report.answers) = (kept.map { deadTokens[$0] }, kept.map { answers[$0] })
    report.names = kept.map { names[$0] }
    return report
  }

  /// Notes what a transport says of a push.
  mutating func add(
    _ sending: PushClaim.ClaimedPush, _ delivery: Delivery, by rules: DeliveryRules
  ) {
    let isTried = sending.push.plan.tries + 1
    tried += 1
    switch delivery {
    case .sent: add(sending, "sent", tries: isTried)
    case .accepted(let name):
      add(sending, "sent", tries: isTried)
      names[names.count - 1] = name
    case .uncertain(let reason): add(sending, "uncertain", because: reason, tries: isTried)
    case .rejected(let reason): add(sending, "failed", because: reason, tries: isTried)
    case .refused(let reason):
      add(sending, "planned", because: DeliveryDecision.Reason.refused, tries: isTried)
      deadTokens[deadTokens.count - 1] = reason
    case .notSent(_, let wait):
      add(sending, "planned", because: DeliveryDecision.Reason.notSent, tries: isTried)
      waits[waits.count - 1] = claimedAt + (wait ?? rules.wait(after: isTried))
    }
    answers[answers.count - 1] = delivery.answer
  }

  /// Notes that a push was claimed and never tried; it is judged again at `instant`, or at once.
  mutating func addUntried(_ sending: PushClaim.ClaimedPush, until instant: Instant? = nil) {
    add(sending, "planned", because: sending.push.plan.lastReason, tries: sending.push.plan.tries)
    waits[waits.count - 1] = instant
  }

  private mutating func add(
    _ sending: PushClaim.ClaimedPush, _ state: String, because reason: String? = nil, tries: Int
  ) {
    users.append(sending.push.learner.id)
    days.append(sending.push.plan.localDay)
    states.append(state)
    reasons.append(reason.map { $0.isEmpty ? "no reason given" : $0 })
    self.tries.append(tries)
    waits.append(nil)
    deadTokens.append(nil)
    answers.append(nil)
    names.append(nil)
  }
}

extension DeliveryReport {
  /// Writes down what became of those, and counts it as done.
  func write(into progress: inout Progress, on connection: borrowing Connection) throws {
    progress.done += tried
    progress.counters.add(try write(on: connection))
  }

  /// Writes down what became of those that the owner still has in its hands, and returns how many came
  /// to what, those that were sent also by their kind, and what providers did with them.
  ///
  /// Written again it changes nothing, so it may be written again when nobody knows whether it was.
  func write(on connection: borrowing Connection) throws -> Counters {
    guard !isEmpty else { return Counters() }
    // Only where a device died: Postgres would look through all devices for none.
    let deaths: Statement =
      deadTokens.contains { $0 != nil } ? ", death AS (\(Self.deaths))" : ""
    let rows = try connection.run(
      keepingPlanOf: """
        WITH outcome AS (\(outcomes)), told AS (\(telling)), event AS (\(Self.events))\(deaths)
        SELECT CASE WHEN dead IS NULL THEN state ELSE 'refused' END AS state, kind, provider,
          count(*) AS pushes
        FROM told GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        """)
    var counts = Counters()
    for row in rows {
      let (state, kind): (String, String) = (try row[0], try row[1])
      let name = state == "planned" ? "not sent" : state
      counts.count(name, because: state == "sent" ? kind : nil, try row[3])
      guard state != "planned", let provider = try row[2, as: String?.self] else { continue }
      counts.count(provider, because: name, try row[3])
    }
    return counts
  }

  private var outcomes: Statement {
    """
    SELECT * FROM unnest(
      \(users), \(days), \(states), \(reasons), \(tries), \(waits), \(deadTokens), \(answers), \(names))
      AS outcome (user_id, local_day, state, reason, tries, not_before, dead, answer, provider_id)
    """
  }

  /// Only what is being sent has an owner, so its state need not be asked for: that would lead Postgres to
  /// the index of all that is, or was until it is vacuumed, being sent.
  ///
  /// What others have written off, as they could not know that it was not sent, waits again: nobody can have claimed it
  /// since.
  ///
  /// One that was not tried this time keeps the answer of the time before.
  private var telling: Statement {
    """
    UPDATE learning.notifications AS push
    SET state = outcome.state, reason = outcome.reason, owner = NULL,
      tries = outcome.tries, not_before = outcome.not_before, provider_id = outcome.provider_id,
      answer = CASE WHEN outcome.tries > push.tries THEN outcome.answer ELSE push.answer END,
      sent_at = CASE WHEN outcome.state IN ('sent', 'uncertain') THEN push.sending_at END,
      ended_at = CASE WHEN outcome.state = 'failed' THEN push.sending_at END
    FROM outcome
    WHERE push.user_id = outcome.user_id AND push.local_day = outcome.local_day
      AND push.epoch = \(owner.epoch) AND push.sending_at = \(claimedAt)
      AND (push.owner = \(owner.text)
        OR outcome.state = 'planned' AND push.state = 'uncertain' AND push.reason = 'worker_lost')
    RETURNING push.user_id, push.local_day, push.state, push.kind, push.sent_at, push.sending_at,
      push.provider, push.device_id, outcome.dead
    """
  }

  private static let events: Statement = """
    INSERT INTO learning.notification_events (user_id, local_day, event, at, detail)
    SELECT user_id, local_day, 'push_sent', sent_at, provider FROM told WHERE state = 'sent'
    ON CONFLICT DO NOTHING
    """

  /// A device that was registered anew in between has another token, of which nothing is known.
  private static let deaths: Statement = """
    UPDATE learning.devices AS device
    SET invalidated_at = told.sending_at, invalid_reason = told.dead
    FROM told
    WHERE told.dead IS NOT NULL AND device.user_id = told.user_id
      AND device.device_id = told.device_id AND device.invalidated_at IS NULL
      AND device.registered_at <= told.sending_at
    """
}

extension Delivery {
  /// How a try ended that the provider did not take.
  fileprivate var answer: String? {
    let words: String? =
      switch self {
      case .sent, .accepted: nil
      case .refused(let reason), .rejected(let reason), .uncertain(let reason): reason
      case .notSent(let reason, _): reason
      }
    return words.map { $0.isEmpty ? "no reason given" : $0 }
  }
}

extension PushClaim {
  /// The report that none of it was tried.
  func untried(by owner: PushOwner) -> DeliveryReport {
    var report = DeliveryReport(of: owner, claimedAt: claimedAt)
    for sending in claimed { report.addUntried(sending) }
    return report
  }
}
