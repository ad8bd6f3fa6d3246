import JobKit
import LocalTime
import Postgres
import Push

/// Pushes that were taken in hand in one chunk, and what else was decided there.
struct PushClaim {
  /// How many planned pushes were looked at.
  private(set) var looked = 0

  private(set) var sendings: [Sending] = []

  /// How many were not taken, by reason.
  private(set) var counters = Counters()

  /// A push that counts as sent from now on, unless it certainly was not.
  struct Sending: Equatable {
    let push: DuePush
    let device: DuePush.Device
    let message: PushMessage
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
  }

  static let none = PushClaim()
}

extension PushClaim {
  /// Takes the pushes that have been due longest, asks of each again whether it may go out at `now`, and
  /// writes that down.
  static func make(
    by terms: Terms, at now: Instant, on connection: borrowing Connection
  ) throws -> PushClaim {
    let picked = try pick(by: terms, at: now, on: connection)
    guard !picked.users.isEmpty else { return .none }
    var claim = PushClaim()
    var decided = Decided()
    var learners = Set<Int>()
    for push in try facts(of: picked, at: now, on: connection) {
      // Of two days that are due at once, the second is asked when it is known what became of the first.
      guard learners.insert(push.learner.id).inserted else { continue }
      let handOver = HandOver.decide(
        push, at: now, in: terms.zones, by: terms.rules, saying: terms.messages)
      decided.add(push, handOver)
      claim.note(push, handOver)
    }
    try decided.write(for: terms.owner, at: now, on: connection)
    return claim
  }

  private mutating func note(_ push: DuePush, _ handOver: HandOver) {
    looked += 1
    switch handOver {
    case .send(let message, let device):
      sendings.append(Sending(push: push, device: device, message: message))
    case .suppressed(let reason): counters.count("suppressed: \(reason)")
    case .expired: counters.count("expired")
    case .failed: counters.count("failed")
    }
  }
}

extension PushClaim {
  private typealias Picked = (users: [Int], days: [CivilDate])

  /// Locks the rows to be looked at, and their learners against anybody else who hands over.
  ///
  /// A learner may have two days planned at once, after a flight. The lock of the learner is what keeps
  /// two deliverers from handing over one each: what is read after it sees what the other has claimed.
  private static func pick(
    by terms: Terms, at now: Instant, on connection: borrowing Connection
  ) throws -> Picked {
    let rows = try connection.run(
      keepingPlanOf: """
        SELECT user_id, local_day FROM (
          SELECT user_id, local_day FROM learning.notifications
          WHERE state = 'planned' AND due_at <= \(terms.moment)
            AND (not_before IS NULL OR not_before <= \(now)) AND \(terms.share)
          ORDER BY due_at LIMIT \(terms.rules.window)
          FOR UPDATE SKIP LOCKED
        ) AS due
        WHERE pg_try_advisory_xact_lock(\(lockSpace)::integer, hashint8(user_id))
        """)
    return (try rows.map { try $0[0] }, try rows.map { try $0[1] })
  }

  /// Tells these locks from those of others, who may use the second number as they like.
  private static let lockSpace = 0x70_75_73_68

  private static func facts(
    of picked: Picked, at now: Instant, on connection: borrowing Connection
  ) throws -> [DuePush] {
    try connection.run(
      keepingPlanOf: """
        SELECT \(DuePush.columns), (
            SELECT max(coalesce(other.sent_at, other.sending_at)) FROM learning.notifications AS other
            WHERE other.user_id = push.user_id
              AND other.local_day BETWEEN push.local_day - 3 AND push.local_day + 3
              AND other.state IN ('sending', 'sent', 'opened', 'ignored', 'uncertain')
          ), EXISTS (
            SELECT FROM learning.sessions AS study
            WHERE study.user_id = push.user_id AND study.completed
              AND study.ended_at > \(now)::timestamptz - interval '4 days'
              AND study.local_day = push.local_day AND study.started_at <= study.ended_at
              AND study.ended_at <= study.server_received_at AND study.server_received_at <= \(now)
          )
        FROM unnest(\(picked.users), \(picked.days)) AS picked (user_id, local_day)
        JOIN learning.notifications AS push USING (user_id, local_day)
        JOIN learning.users AS learner USING (user_id)
        LEFT JOIN learning.patterns AS pattern ON pattern.code = push.pattern_code
        LEFT JOIN LATERAL (
          SELECT * FROM learning.devices
          WHERE devices.user_id = push.user_id AND invalidated_at IS NULL AND registered_at <= \(now)
          ORDER BY registered_at DESC, device_id DESC LIMIT 1
        ) AS device ON true
        ORDER BY push.due_at, push.user_id
        """
    ).map(DuePush.init)
  }
}

/// What was decided of the pushes of one chunk, column by column.
private struct Decided {
  private var users: [Int] = []
  private var days: [CivilDate] = []
  private var states: [String] = []
  private var reasons: [String?] = []
  private var devices: [Int?] = []
  private var providers: [String?] = []
  private var locales: [String] = []

  mutating func add(_ push: DuePush, _ handOver: HandOver) {
    let (state, reason, device): (String, String?, DuePush.Device?) =
      switch handOver {
      case .send(_, let device): ("sending", nil, device)
      case .suppressed(let reason): ("suppressed", reason, nil)
      case .expired(let reason): ("expired", reason, nil)
      case .failed(let reason): ("failed", reason, nil)
      }
    users.append(push.learner.id)
    days.append(push.localDay)
    states.append(state)
    reasons.append(reason)
    devices.append(device?.id)
    providers.append(device?.provider.rawValue)
    locales.append(push.learner.locale)
  }

  func write(
    for owner: PushOwner, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    try connection.run(
      keepingPlanOf: """
        UPDATE learning.notifications AS push
        SET state = made.state, reason = made.reason, epoch = \(owner.epoch),
          owner = CASE WHEN made.state = 'sending' THEN \(owner.text) END,
          sending_at = CASE WHEN made.state = 'sending' THEN \(now)::timestamptz END,
          ended_at = CASE WHEN made.state <> 'sending' THEN \(now)::timestamptz END,
          device_id = coalesce(made.device_id, push.device_id),
          provider = coalesce(made.provider, push.provider), locale = made.locale
        FROM unnest(\(users), \(days), \(states), \(reasons), \(devices), \(providers), \(locales))
          AS made (user_id, local_day, state, reason, device_id, provider, locale)
        WHERE push.user_id = made.user_id AND push.local_day = made.local_day
          AND push.state = 'planned'
        """)
  }
}
