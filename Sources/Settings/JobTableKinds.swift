internal import Config
internal import JobKit
internal import LocalTime

/// What may be written in the table of a job, made once for all jobs of a file: there may be a thousand.
struct JobTableKinds {
  let fields = JobSettings.fields
  let enabled = JobSettings.enabled
  let dst = SettingKind<CronSchedule.ClockChanges>.choice
  let every = SettingKind.duration(Interval.allowed, suchAs: "15m")
  let job: SettingKind<any SettingsJobKind>
}

extension SettingKind<any SettingsJobKind> {
  static func jobKind(of kinds: [any SettingsJobKind]) -> Self {
    let wanted = kinds.map { "\"\($0.word)\"" }.listed(with: "or")
    return SettingKind(wanted: wanted) { content throws(Misfit) in
      guard case .string(let text) = content else { throw .kind }
      guard let kind = kinds.first(where: { $0.word == text }) else { throw .value }
      return kind
    }
  }
}
