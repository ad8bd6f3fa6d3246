import JobKit
import LocalTime
import Postgres
import Push

extension DuePush {
  /// Asks what there is to know of the learners of pushes at `now`, in the order of these.
  ///
  /// Once for each device that is valid, that first which was registered last: to look for it learner by
  /// learner would sort each one's few, which takes Postgres longer than all the rest. What else there is to
  /// know is found before devices are joined, once for each learner.
  static func query(_ pushes: ArraySlice<PlannedPush>, at now: Instant) -> Statement {
    let (users, days) = (pushes.map(\.learner), pushes.map(\.localDay))
    return """
      SELECT learner.*, device.device_id, device.provider, device.environment = 'sandbox', device.token,
        device.registered_at
      FROM (
        SELECT \(columns), days.last_push, is_asked AND \(hasStudied(at: now)) AS is_overtaken, place,
          days.has_other_day
        FROM unnest(\(users), \(days), \(pushes.map(\.isOvertakenByStudies)), \(pushes.map(\.followed)))
          WITH ORDINALITY AS push (user_id, local_day, is_asked, followed, place)
        JOIN learning.users AS learner USING (user_id)
        CROSS JOIN LATERAL (\(Self.days)) AS days
        OFFSET 0
      ) AS learner
      LEFT JOIN learning.devices AS device ON device.user_id = learner.user_id
        AND device.invalidated_at IS NULL AND device.registered_at <= \(now)
      ORDER BY place, device.registered_at DESC, device.device_id DESC
      """
  }

  private static let columns: Statement = """
    push.user_id, learner.display_name, learner.zone, learner.locale,
    \(PushEligibility.columns(of: "learner")),
    learner.quiet_from, learner.quiet_to
    """

  /// No local day is further than three days from one on which the gap between two pushes counts.
  private static let days: Statement = """
    SELECT max(coalesce(other.sent_at, other.sending_at)) FILTER (WHERE other.state <> 'planned') AS last_push,
      coalesce(bool_or(other.state = 'planned' AND other.local_day <> push.local_day), false) AS has_other_day
    FROM learning.notifications AS other
    WHERE \(isNear) AND other.state IN ('planned', 'sending', 'sent', 'opened', 'ignored', 'uncertain')
    """

  private static let isNear: Statement = """
    other.user_id = push.user_id AND other.local_day BETWEEN push.local_day - 3 AND push.local_day + 3
    """

  /// The planned days of the learners of pushes, these among them, as a source of rows named `other`.
  static func plannedDays(of pushes: [PlannedPush]) -> Statement {
    """
    FROM unnest(\(pushes.map(\.learner)), \(pushes.map(\.localDay))) AS push (user_id, local_day)
      JOIN learning.notifications AS other ON \(isNear) AND other.state = 'planned'
    """
  }

  /// Whether the learner of a row has another day planned, about which another deliverer may be deciding.
  static func hasOtherDay(_ row: Row) throws -> Bool { try row[12] }

  private static func hasStudied(at now: Instant) -> Statement {
    """
    EXISTS (SELECT FROM learning.sessions AS study
      WHERE study.user_id = push.user_id AND study.completed
        AND study.ended_at > greatest(followed, \(now)::timestamptz - interval '4 days')
        AND study.local_day = push.local_day AND \(Study.canBe("study"))
        AND study.server_received_at <= \(now))
    """
  }

  /// A push, and what a row of that query tells of its learner, by place.
  init(_ plan: PlannedPush, _ row: Row) throws {
    self.init(
      plan: plan, learner: try Learner(row), device: try Device(row), lastPush: try row[9],
      isOvertaken: try row[10])
  }
}

extension DuePush.Learner {
  fileprivate init(_ row: Row) throws {
    let (from, to): (Int?, Int?) = (try row[7], try row[8])
    let own = from.flatMap { from in to.map { QuietHours(from: from, to: $0) } }
    self.init(
      id: try row[0], name: try row[1], zone: try row[2], locale: try row[3],
      eligibility: try PushEligibility(row, from: 4), quietHours: own)
  }
}

extension DuePush.Device {
  fileprivate init?(_ row: Row) throws {
    guard let id = try row[13, as: Int?.self] else { return nil }
    let provider: String = try row[14]
    self.init(
      id: id, provider: PushProvider(rawValue: provider) ?? .apns, isSandbox: try row[15],
      token: PushToken(try row[16]), registeredAt: try row[17])
  }
}
