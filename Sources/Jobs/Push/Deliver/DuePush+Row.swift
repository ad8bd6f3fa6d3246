import JobKit
import LocalTime
import Postgres
import Push

extension DuePush {
  /// The columns of a push's row, by place, after which those of its learner follow.
  static let columns: Statement = """
    push.user_id, push.local_day, push.kind, push.window_to, push.template, push.variant,
    coalesce(push.streak_days, 0), push.tries, push.reason, push.zone,
    learner.display_name, learner.zone, learner.locale, learner.status = 'active',
    learner.audience <> 'child' OR learner.guardian_consent, learner.push_opt_in,
    learner.quiet_from, learner.quiet_to,
    push.pattern_code, pattern.name_ko, pattern.name_en,
    device.device_id, device.provider, device.environment = 'sandbox', device.token
    """

  /// Reads a row of ``columns``, behind which stand when another push was handed over to the learner, and
  /// whether they have studied.
  init(_ row: Row) throws {
    let (template, kind): (String, String) = (try row[4], try row[2])
    self.init(
      learner: try Learner(row), localDay: try row[1], kind: kind, windowTo: try row[3],
      template: MessageTemplate(rawValue: template) ?? .basic, variant: try row[5],
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
