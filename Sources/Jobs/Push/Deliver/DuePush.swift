import JobKit
import LocalTime
import Postgres
import Push

/// A planned push whose minute has come, and what there is to know about its learner now.
struct DuePush: Equatable {
  var plan: PlannedPush
  var learner: Learner

  /// Where it goes: the device that was registered last and is valid.
  var device: Device?

  /// When another push was sent to the learner last.
  var lastPush: Instant?

  /// Whether a study of its local day speaks against it.
  var isOvertaken: Bool

  /// Who gets it.
  struct Learner: Equatable {
    var id: Int
    var name: String
    var zone: String
    var locale: String
    var eligibility: PushEligibility
    var quietHours: QuietHours?
  }

  /// A device with the app.
  struct Device: Equatable {
    var id: Int
    var provider: PushProvider
    var isSandbox: Bool
    var token: PushToken

    /// When the app registered it last.
    var registeredAt: Instant?
  }
}

extension DuePush {
  /// By what a log, the database and a provider speak of the same push.
  static func id(of learner: Int, on day: CivilDate) -> String { "\(learner)/\(day)" }

  var id: String { Self.id(of: learner.id, on: plan.localDay) }

  /// What the placeholders of its texts stand for, in the language of those.
  func facts(in language: String) -> MessageFacts {
    let pattern = plan.pattern
    let name = language == "ko" ? pattern?.nameInKorean : pattern?.nameInEnglish
    return MessageFacts(
      name: learner.name, streakDays: plan.streakDays, pattern: name ?? pattern?.code ?? "")
  }
}
