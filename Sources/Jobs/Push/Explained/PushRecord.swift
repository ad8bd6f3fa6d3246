import JobKit
import LocalTime
import Postgres

/// All that is written down of the push of a day.
struct PushRecord: Sendable, Equatable {
  let day: CivilDate
  let state: PushState
  let reason: String?
  let kind: PushKind
  let window: PushWindow?
  let minute: Instant?
  let template: String?
  let variant: String?
  let plannedAt: Instant
  let sentAt: Instant?
  let endedAt: Instant?
  let provider: String?
  let device: Device?

  /// How the latest try ended, where the provider did not take it, and by what it knows what it took.
  let answer: String?
  let providerID: String?
  let tries: Int
  let events: [Event]

  /// Where it went.
  struct Device: Sendable, Equatable {
    let id: Int

    /// The beginning of its token's SHA-256; nothing to a role that may not read tokens, and where the token is
    /// another by now.
    var hash: String?

    /// Why its provider called it gone.
    var invalidReason: String?
  }

  /// Something that happened to it.
  struct Event: Sendable, Equatable {
    let name: String
    let at: Instant
  }

  /// What is written down of a learner's day, if anything is.
  static func find(
    of learner: Int, on day: CivilDate, _ connection: borrowing Connection
  ) throws(PostgresError) -> PushRecord? {
    let rows = try connection.run(
      """
      SELECT state, reason, kind, window_from, window_to, due_at, template, variant, planned_at,
        sent_at, ended_at, provider, device_id, tries, sending_at, answer, provider_id
      FROM learning.notifications WHERE user_id = \(learner) AND local_day = \(day)
      """)
    guard let row = rows.first else { return nil }
    return try PushRecord(
      row, on: day, device: device(of: learner, row, connection),
      events: events(of: learner, on: day, connection))
  }

  /// Whether it is what a run would write that decides so.
  func tells(_ decision: PushDecision) -> Bool {
    let (plan, message) = (decision.plan, decision.message)
    return state == decision.state && reason == decision.reason?.rawValue && kind == plan.kind
      && window == plan.window && minute == plan.minute
      && template == message.template.rawValue && variant == message.variant
  }

  /// What there is to know of the device that a row names.
  private static func device(
    of learner: Int, _ row: Row, _ connection: borrowing Connection
  ) throws(PostgresError) -> Device? {
    guard let id: Int = try row["device_id"] else { return nil }
    var device = Device(id: id)
    let rows = try connection.run(
      """
      SELECT invalid_reason, has_column_privilege('learning.devices', 'token', 'SELECT')
      FROM learning.devices WHERE user_id = \(learner) AND device_id = \(id)
      """)
    guard let found = rows.first else { return device }
    device.invalidReason = try found[0]
    let (sendingAt, endedAt): (Instant?, Instant?) = (try row["sending_at"], try row["ended_at"])
    guard try found[1], let sentAt = sendingAt ?? endedAt else { return device }
    device.hash = try connection.run(
      """
      SELECT left(encode(sha256(convert_to(token, 'UTF8')), 'hex'), 12) FROM learning.devices
      WHERE user_id = \(learner) AND device_id = \(id) AND registered_at <= \(sentAt)
      """
    ).first?[0]
    return device
  }

  private static func events(
    of learner: Int, on day: CivilDate, _ connection: borrowing Connection
  ) throws(PostgresError) -> [Event] {
    var events: [Event] = []
    let rows = try connection.run(
      """
      SELECT event, at FROM learning.notification_events
      WHERE user_id = \(learner) AND local_day = \(day) ORDER BY at, event
      """)
    for row in rows { events.append(Event(name: try row["event"], at: try row["at"])) }
    return events
  }

  private init(
    _ row: Row, on day: CivilDate, device: Device?, events: [Event]
  ) throws(PostgresError) {
    self.day = day
    state = try row["state"]
    reason = try row["reason"]
    kind = try row["kind"]
    minute = try row["due_at"]
    template = try row["template"]
    variant = try row["variant"]
    plannedAt = try row["planned_at"]
    sentAt = try row["sent_at"]
    endedAt = try row["ended_at"]
    provider = try row["provider"]
    self.device = device
    answer = try row["answer"]
    providerID = try row["provider_id"]
    tries = try row["tries"]
    if let from: Instant = try row["window_from"], let to: Instant = try row["window_to"] {
      window = PushWindow(from: from, to: to)
    } else {
      window = nil
    }
    self.events = events
  }
}

/// What became of a day's push, a sentence each, the outcome first.
extension PushRecord {
  func words(in zone: Zone) -> [String] {
    let words = PushWords(zone: zone, day: day)
    var lines = [outcome(words), "\(kind.words) was decided at \(words.time(plannedAt))"]
    if let window {
      let minute = minute.map { ", its minute \(words.time($0))" } ?? ""
      lines.append("its window was \(words.span(window))\(minute)")
    }
    if let template {
      lines.append("its text is '\(template)'" + (variant.map { ", variant '\($0)'" } ?? ""))
    }
    lines += [device?.words, answer.map { "its latest try ended with '\($0)'" }].compactMap(\.self)
    if let providerID { lines.append("\(provider ?? "its provider") knows it as '\(providerID)'") }
    return lines + events.map { "\($0.name) at \(words.time($0.at))" }
  }

  private func outcome(_ words: PushWords) -> String {
    let why = reason.map { ": \(pushReasonInWords($0))" } ?? ""
    let sent = sentAt.map { " at \(words.time($0))" } ?? ""
    let place = provider.map { " by \($0)" } ?? ""
    return switch state {
    case .planned: "it is planned\(tried)"
    case .sending: "it is being sent"
    case .sent: "it was sent\(sent)\(place), and nobody has answered yet"
    case .opened: "it was sent\(sent)\(place), and opened"
    // Only what was uncertain has a reason then: nobody knows of a hand-over.
    case .ignored where reason != nil: "nobody answered, and whether it arrived is not known\(why)"
    case .ignored: "it was sent\(sent)\(place), and nobody answered"
    case .failed: "it failed\(why)"
    case .uncertain: "whether it arrived is not known\(why)"
    case .expired: "it expired\(tried)\(why)"
    case .suppressed: "it was suppressed\(why)"
    }
  }

  /// How often it was to be sent, of what was not.
  private var tried: String {
    switch tries {
    case 0: ""
    case 1: ", and was tried once"
    default: ", and was tried \(tries) times"
    }
  }
}

extension PushRecord.Device {
  fileprivate var words: String {
    let token = hash.map { " (SHA-256 of its token: \($0)…)" } ?? ""
    let end = invalidReason.map { ", which its provider has called gone: '\($0)'" } ?? ""
    return "its device is number \(id)\(token)\(end)"
  }
}
