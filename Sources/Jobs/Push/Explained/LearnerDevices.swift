public import LocalTime
public import Postgres
public import Push

/// The devices of one learner, those first that a push would be tried on, in that order.
public struct LearnerDevice: Sendable, Equatable {
  public let id: Int
  public let provider: PushProvider
  public let isSandbox: Bool
  public let token: PushToken

  /// When the app registered it last; one of the future is not tried before.
  public let registeredAt: Instant
  public let invalidatedAt: Instant?
  public let invalidReason: String?

  /// Whether a push may be tried on it at `now`.
  public func mayBeTried(at now: Instant) -> Bool { invalidatedAt == nil && registeredAt <= now }
}

extension LearnerDevice {
  /// The devices of a learner at `now`, in the order in which `deliver_pushes` tries them, and behind them those that it
  /// does not try.
  public static func all(
    of learner: Int, at now: Instant, on connection: borrowing Connection
  ) throws -> [LearnerDevice] {
    let known: Bool = try connection.run(
      "SELECT EXISTS (SELECT FROM learning.users WHERE user_id = \(learner))"
    ).only[0]
    guard known else { throw UnknownLearner(learner) }
    return try connection.run(
      """
      SELECT device_id, provider, environment = 'sandbox' AS is_sandbox, token, registered_at, invalidated_at,
        invalid_reason
      FROM learning.devices WHERE user_id = \(learner)
      ORDER BY invalidated_at IS NOT NULL, registered_at > \(now), registered_at DESC, device_id DESC
      """
    ).map(LearnerDevice.init)
  }

  /// The providers that devices of any learner need.
  public static func neededProviders(
    on connection: borrowing Connection
  ) throws -> [PushProvider] {
    try connection.run(
      """
      SELECT provider FROM unnest(ARRAY['apns', 'fcm', 'webhook']) AS provider
      WHERE EXISTS (
        SELECT FROM learning.devices AS device
        WHERE device.provider = provider.provider AND device.invalidated_at IS NULL)
      """
    ).compactMap { row in PushProvider(rawValue: try row["provider"]) }
  }

  private init(_ row: Row) throws {
    id = try row["device_id"]
    provider = PushProvider(rawValue: try row["provider"]) ?? .apns
    isSandbox = try row["is_sandbox"]
    token = PushToken(try row["token"])
    registeredAt = try row["registered_at"]
    invalidatedAt = try row["invalidated_at"]
    invalidReason = try row["invalid_reason"]
  }
}
