package import Config
public import JobKit
internal import Ledger
import LocalTime

/// One job as it will be run: its definition with what the settings changed.
public struct JobSettings: Sendable, Equatable {
  public let name: JobName
  public var isEnabled: Bool
  public var schedule: Schedule
  public var policies: Policies

  /// Which other jobs its ticks come after.
  public var after: After

  /// Into how many parts a run is cut.
  public var parts: Int

  /// The share of the keys that runs are for: less than 100 is a canary.
  public var percent = 100

  /// Whether people are told when something goes wrong with it.
  public var notifies = true

  /// What the settings say of the job's work, where they describe all of it.
  package var described: [SettingLine] = []
}

extension JobSettings: SettingsTable {
  package static var fields: [SettingField<Self>] {
    after + ticks + limits + amounts + [.init("notify", \.notifies, as: .flag)]
  }

  private static var after: [SettingField<Self>] {
    [
      .init("after_limit", \.after.limit, as: .seconds(1...30 * 86_400, suchAs: "6h")),
      .init("after_failed", \.after.failed, as: .choice),
      .init("after_missing", \.after.missing, as: .choice),
    ]
  }

  private static var ticks: [SettingField<Self>] {
    let year = 1...366 * 86_400
    return [
      .init("missed", \.policies.catchUp.policy, as: .choice),
      .init("missed_within", \.policies.catchUp.within, as: .seconds(year, suchAs: "1d")),
      .init("missed_most", \.policies.catchUp.most, as: .count(1...Backlog.most, suchAs: 100)),
      .init("overlap", \.policies.overlap, as: .choice),
      .init("start_within", \.policies.startWithin, as: .seconds(year, suchAs: "1h")),
      .init("jitter", \.policies.jitter, as: .seconds(0...86_400, suchAs: "30s")),
      .init("late_after", \.policies.lateAfter, as: .seconds(year, suchAs: "5m")),
      .init("priority", \.policies.priority, as: .count(-100...100, suchAs: 10)),
    ]
  }

  private static var limits: [SettingField<Self>] {
    let length = SettingKind.secondsOrNone(1...30 * 86_400, suchAs: "10m")
    let wait = SettingKind.seconds(1...86_400, suchAs: "10s")
    return [
      .init("soft_limit", \.policies.softLimit, as: length),
      .init("hard_limit", \.policies.hardLimit, as: length),
      .init("tries", \.policies.retry.tries, as: .count(1...100, suchAs: 5)),
      .init("first_wait", \.policies.retry.first, as: wait),
      .init("longest_wait", \.policies.retry.longest, as: wait),
      .init("worker_losses", \.policies.retry.workerLosses, as: .count(0...100, suchAs: 5)),
    ]
  }

  private static var amounts: [SettingField<Self>] {
    let items = SettingKind.countOrNone(1...1_000_000_000, suchAs: 200_000)
    return [
      .init("parallel", \.policies.parallelParts, as: .countOrNone(1...1024, suchAs: 8)),
      .init("batch", \.policies.batch, as: .count(1...1000, suchAs: 50)),
      .init("fewest", \.policies.bounds.fewest, as: items),
      .init("most", \.policies.bounds.most, as: items),
      .init("times_usual", \.policies.bounds.timesUsual, as: .timesOrNone),
      .init("parts", \.parts, as: .count(1...1024, suchAs: 16)),
      .init("percent", \.percent, as: .count(1...100, suchAs: 5)),
    ]
  }

  package func check(_ reader: inout TableReader) {
    let (retry, bounds) = (policies.retry, policies.bounds)
    reader.refuse(
      "soft_limit", policies.softLimit, above: "hard_limit", policies.hardLimit, written: \.written
    )
    reader.refuse(
      "first_wait", retry.first, above: "longest_wait", retry.longest, written: \.written)
    reader.refuse("fewest", bounds.fewest, above: "most", bounds.most, written: \.description)
  }
}

extension JobSettings {
  /// Whether it runs, which is read and listed before when it does.
  static var enabled: SettingField<Bool> { .init("enabled", \.self, as: .flag) }

  /// Every setting of the job that is in force, in the order of `config/worker.toml`.
  package func listing(_ fields: [SettingField<Self>] = Self.fields) -> [SettingLine] {
    let table = "jobs.\(name)."
    let times =
      schedule.listing + [
        ("except", schedule.exclusions.calendars.map(\.name).joined(separator: ", ")),
        ("after", after.jobs.map(\.text).joined(separator: ", ")),
      ]
    return described + Self.enabled.list(isEnabled, table)
      + times.map { SettingLine(name: table + $0, value: $1) }
      + lines(of: fields, at: table)
  }
}

extension Schedule {
  fileprivate var listing: [(String, String)] {
    switch rhythm {
    case .every(let interval): [("every", interval.length.written), ("zone", zone.name)]
    case .cron(let cron):
      [("schedule", cron.cron.text), ("zone", zone.name), ("dst", cron.dst.rawValue)]
    }
  }
}
