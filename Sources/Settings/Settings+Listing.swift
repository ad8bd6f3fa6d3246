public import Config
internal import JobKit
internal import Ledger
import LocalTime
internal import Migrations

extension Settings {
  /// Every setting that is in force, by the names and in the order of `config/worker.toml`.
  ///
  /// Nothing in it is secret: a password never becomes a setting.
  public var listing: [SettingLine] {
    [SettingLine(name: "workers", value: "\(workers)")]
      + database.listing + time.listing + log.listing + retention.listing
      + http.listing + notify.listing + calendars.map(\.listing) + apps.map(\.listing)
      + rules.listing
      + jobs.flatMap(\.listing)
  }

  /// What is different from other settings, a line for each, such as "workers: 4 -> 8".
  public func changes(since old: Settings) -> [SettingChange] {
    let (before, after) = (old.values, values)
    let names = listing.map(\.name) + old.listing.map(\.name).filter { after[$0] == nil }
    return names.compactMap { name in
      let change = SettingChange(name: name, before: before[name], after: after[name])
      return change.before == change.after ? nil : change
    }
  }

  private var values: [String: String] {
    Dictionary(listing.map { ($0.name, $0.value) }) { first, _ in first }
  }
}

extension DatabaseSettings {
  fileprivate var listing: [SettingLine] {
    [
      .init(name: "database.url", value: url),
      .init(name: "database.password_file", value: passwordFile ?? ""),
      .init(name: "database.worker_role", value: roles.worker ?? ""),
      .init(name: "database.reader_role", value: roles.reader ?? ""),
      .init(name: "database.request_role", value: roles.requester ?? ""),
      .init(name: "database.connect_timeout", value: connectTimeout.written),
      .init(name: "database.statement_timeout", value: statementTimeout.written),
      .init(name: "database.lock_timeout", value: lockTimeout.written),
      .init(name: "database.tcp_user_timeout", value: tcpUserTimeout.written),
      .init(name: "database.keepalive_idle", value: keepaliveIdle.written),
      .init(name: "database.keepalive_interval", value: keepaliveInterval.written),
      .init(name: "database.keepalive_count", value: "\(keepaliveCount)"),
    ]
  }
}

extension TimeSettings {
  fileprivate var listing: [SettingLine] {
    [.init(name: "time.zone", value: zone), .init(name: "time.zoneinfo", value: zoneinfo ?? "")]
  }
}

extension Retention {
  fileprivate var listing: [SettingLine] {
    [
      .init(name: "retention.succeeded", value: succeeded.written),
      .init(name: "retention.failed", value: failed.written),
      .init(name: "retention.never_ran", value: neverRan.written),
      .init(name: "retention.newest", value: "\(newest)"),
    ]
  }
}

extension Calendar {
  fileprivate var listing: SettingLine {
    .init(
      name: "calendars.\(name).days", value: days.map(\.description).joined(separator: ", "))
  }
}

extension AppSettings {
  fileprivate var listing: SettingLine { .init(name: "apps.\(name)", value: "\(isOn)") }
}

extension LogSettings {
  fileprivate var listing: [SettingLine] {
    [
      .init(name: "log.format", value: format.rawValue),
      .init(name: "log.level", value: level.rawValue),
    ]
  }
}
