import JobKit
import LocalTime
import Postgres

/// What was planned of a push whose minute has come, as its row tells that a claim has locked.
struct PlannedPush: Equatable {
  var learner: Int
  var localDay: CivilDate
  var kind: String
  var windowTo: Instant
  var template: PushTemplate
  var variant: String?
  var streakDays: Int
  var tries: Int

  /// Why it was not sent when it was tried last.
  var lastReason: String?

  /// The zone of the local day, which need not be the learner's any more.
  var dayZone: String
  var pattern: Pattern?

  /// When the study ended that was the latest as it was planned.
  var evidence: Instant?

  /// The minute that was chosen for it.
  var dueAt: Instant?

  /// Where its row lies: as long as the transaction that has locked it lasts, nobody moves it.
  var place: String

  /// What it is about.
  struct Pattern: Equatable {
    var code: String
    var nameInKorean: String
    var nameInEnglish: String
  }
}

extension PlannedPush {
  /// Whether a study of its day speaks against it: against a follow-up only one that it does not follow.
  var isOvertakenByStudies: Bool { !isFollowUp || evidence != nil }

  /// The end of the study that it follows; nothing when it is for those alone who have not studied on its day.
  var followed: Instant? { isFollowUp ? evidence : nil }

  private var isFollowUp: Bool { kind == "follow_up" }
}

extension PlannedPush {
  /// The columns of `push`, a row of pushes, and of its `pattern`.
  static let columns: Statement = """
    push.user_id, push.local_day, push.kind, push.window_to, push.template, push.variant,
    coalesce(push.streak_days, 0), push.tries, push.reason, push.zone,
    push.pattern_code, pattern.name_ko, pattern.name_en, push.ctid::text,
    push.evidence_at, push.due_at
    """

  /// Reads a row of those columns, by place.
  init(_ row: Row) throws {
    let template: String = try row[4]
    self.init(
      learner: try row[0], localDay: try row[1], kind: try row[2], windowTo: try row[3],
      template: PushTemplate(rawValue: template) ?? .basic, variant: try row[5],
      streakDays: try row[6], tries: try row[7], lastReason: try row[8], dayZone: try row[9],
      pattern: try Pattern(row), evidence: try row[14], dueAt: try row[15], place: try row[13])
  }
}

extension PlannedPush.Pattern {
  fileprivate init?(_ row: Row) throws {
    guard let code = try row[10, as: String?.self] else { return nil }
    self.init(
      code: code, nameInKorean: try row[11, as: String?.self] ?? code,
      nameInEnglish: try row[12, as: String?.self] ?? code)
  }
}
