import JobKit
import LocalTime
import Postgres
import Push

/// A planned push whose minute has come, and what there is to know about its learner now.
struct DuePush: Equatable {
  var learner: Learner
  var localDay: CivilDate
  var kind: String
  var windowTo: Instant
  var template: PushTemplate
  var variant: String?
  var pattern: Pattern?
  var streakDays: Int
  var tries: Int

  /// Why it was not handed over when it was tried last.
  var lastReason: String?

  /// The zone of the local day, which need not be the learner's any more.
  var dayZone: String

  /// Where it goes: the device that was registered last and is valid.
  var device: Device?

  /// When another push was handed over to the learner last.
  var lastPush: Instant?

  /// Whether the learner has studied on the local day of a push that asks for it.
  var hasStudied: Bool

  /// Who gets it.
  struct Learner: Equatable {
    var id: Int
    var name: String
    var zone: String
    var locale: String
    var isActive: Bool
    var mayBePushed: Bool
    var hasOptedIn: Bool
    var quietHours: QuietHours?
  }

  /// What it is about.
  struct Pattern: Equatable {
    var code: String
    var nameInKorean: String
    var nameInEnglish: String
  }

  /// A device with the app.
  struct Device: Equatable {
    var id: Int
    var provider: PushProvider
    var isSandbox: Bool
    var token: PushToken
  }
}

extension DuePush {
  /// By what a log, the database and a provider speak of the same push.
  static func id(of learner: Int, on day: CivilDate) -> String { "\(learner)/\(day)" }

  var id: String { Self.id(of: learner.id, on: localDay) }

  /// What the placeholders of its texts stand for, in the language of those.
  func facts(in language: String?) -> MessageFacts {
    let name = language == "ko" ? pattern?.nameInKorean : pattern?.nameInEnglish
    return MessageFacts(
      name: learner.name, streakDays: streakDays, pattern: name ?? pattern?.code ?? "")
  }
}
