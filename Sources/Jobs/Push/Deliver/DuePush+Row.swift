import JobKit
import LocalTime
import Postgres
import Push

extension DuePush {
  /// Asks for pushes with what there is to know of their learners at `now`, those first that are due first.
  ///
  /// Once for each device that is valid, that first which was registered last: to look for it learner by
  /// learner would sort each one's few, which takes Postgres longer than all the rest.
  static func query(_ picked: PushClaim.Picked, at now: Instant) -> Statement {
    """
    SELECT \(columns), \(lastPush), \(hasStudied(at: now))
    FROM unnest(\(picked.users), \(picked.days)) AS picked (user_id, local_day)
    JOIN learning.notifications AS push USING (user_id, local_day)
    JOIN learning.users AS learner USING (user_id)
    LEFT JOIN learning.patterns AS pattern ON pattern.code = push.pattern_code
    LEFT JOIN learning.devices AS device ON device.user_id = push.user_id
      AND device.invalidated_at IS NULL AND device.registered_at <= \(now)
    ORDER BY push.due_at, push.user_id, push.local_day, device.registered_at DESC, device.device_id DESC
    """
  }

  private static let columns: Statement = """
    push.user_id, push.local_day, push.kind, push.window_to, push.template, push.variant,
    coalesce(push.streak_days, 0), push.tries, push.reason, push.zone,
    learner.display_name, learner.zone, learner.locale, learner.status = 'active',
    learner.audience <> 'child' OR learner.guardian_consent, learner.push_opt_in,
    learner.quiet_from, learner.quiet_to,
    push.pattern_code, pattern.name_ko, pattern.name_en,
    device.device_id, device.provider, device.environment = 'sandbox', device.token
    """

  /// No local day is further than three days from one on which the gap between two pushes counts.
  private static let lastPush: Statement = """
    (SELECT max(coalesce(other.sent_at, other.sending_at)) FROM learning.notifications AS other
      WHERE other.user_id = push.user_id
        AND other.local_day BETWEEN push.local_day - 3 AND push.local_day + 3
        AND other.state IN ('sending', 'sent', 'opened', 'ignored', 'uncertain'))
    """

  private static func hasStudied(at now: Instant) -> Statement {
    """
    EXISTS (SELECT FROM learning.sessions AS study
      WHERE study.user_id = push.user_id AND study.completed
        AND study.ended_at > \(now)::timestamptz - interval '4 days'
        AND study.local_day = push.local_day AND \(Study.canBe("study"))
        AND study.server_received_at <= \(now))
    """
  }

  /// Reads a row of that query, by place.
  init(_ row: Row) throws {
    let (template, kind): (String, String) = (try row[4], try row[2])
    self.init(
      learner: try Learner(row), localDay: try row[1], kind: kind, windowTo: try row[3],
      template: PushTemplate(rawValue: template) ?? .basic, variant: try row[5],
      pattern: try Pattern(row), streakDays: try row[6], tries: try row[7],
      lastReason: try row[8], dayZone: try row[9], device: try Device(row),
      lastPush: try row[25], hasStudied: try kind != "follow_up" && row[26])
  }
}

extension DuePush.Learner {
  fileprivate init(_ row: Row) throws {
    let (from, to): (Int?, Int?) = (try row[16], try row[17])
    let own = from.flatMap { from in to.map { QuietHours(from: from, to: $0) } }
    self.init(
      id: try row[0], name: try row[10], zone: try row[11], locale: try row[12],
      isActive: try row[13], mayBePushed: try row[14], hasOptedIn: try row[15], quietHours: own)
  }
}

extension DuePush.Pattern {
  fileprivate init?(_ row: Row) throws {
    guard let code = try row[18, as: String?.self] else { return nil }
    self.init(
      code: code, nameInKorean: try row[19, as: String?.self] ?? code,
      nameInEnglish: try row[20, as: String?.self] ?? code)
  }
}

extension DuePush.Device {
  fileprivate init?(_ row: Row) throws {
    guard let id = try row[21, as: Int?.self] else { return nil }
    let provider: String = try row[22]
    self.init(
      id: id, provider: PushProvider(rawValue: provider) ?? .apns, isSandbox: try row[23],
      token: PushToken(try row[24]))
  }
}
