import JobKit
import LocalTime
import Postgres
import Push

/// What was decided of the pushes of one chunk, column by column.
struct DeliveryDecisionRows {
  private var places: [String] = []
  private var states: [String] = []
  private var reasons: [String?] = []
  private var devices: [Int?] = []
  private var providers: [String?] = []
  private var locales: [String] = []

  mutating func add(_ push: DuePush, _ decision: DeliveryDecision) {
    let (state, reason, device): (String, String?, DuePush.Device?) =
      switch decision {
      case .send(_, let device, _): ("sending", nil, device)
      case .suppressed(let reason): ("suppressed", reason, nil)
      case .expired(let reason): ("expired", reason, nil)
      case .failed(let reason): ("failed", reason, nil)
      }
    places.append(push.plan.place)
    states.append(state)
    reasons.append(reason)
    devices.append(device?.id)
    providers.append(device?.provider.rawValue)
    locales.append(push.learner.locale)
  }

  /// Writes what was decided of rows that this transaction has locked while they were planned, where they lie:
  /// to look for each once more takes a fifth of what it takes to write it.
  func write(
    for owner: PushOwner, at now: Instant, on connection: borrowing Connection
  ) throws(PostgresError) {
    let written = try connection.run(statement(for: owner, at: now).keepingPlan).affected
    // What leaves without being claimed would leave again.
    guard written == places.count else {
      throw .misuse("of \(places.count) pushes that were locked \(written) are where they were")
    }
  }

  func statement(for owner: PushOwner, at now: Instant) -> Statement {
    """
    UPDATE learning.notifications AS push
    SET state = made.state, reason = made.reason, epoch = \(owner.epoch),
      owner = CASE WHEN made.state = 'sending' THEN \(owner.text) END,
      sending_at = CASE WHEN made.state = 'sending' THEN \(now)::timestamptz END,
      ended_at = CASE WHEN made.state <> 'sending' THEN \(now)::timestamptz END,
      device_id = coalesce(made.device_id, push.device_id),
      provider = coalesce(made.provider, push.provider), locale = made.locale
    FROM unnest(
      \(places)::text[]::tid[], \(states), \(reasons), \(devices), \(providers), \(locales))
      AS made (place, state, reason, device_id, provider, locale)
    WHERE push.ctid = made.place
    """
  }
}
