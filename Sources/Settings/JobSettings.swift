package import Config
public import JobKit
import LocalTime

/// One job as it will be run: its definition with what the settings changed.
public struct JobSettings: Sendable, Equatable {
  public let name: JobName
  public var isEnabled: Bool
  public var schedule: Schedule
  public var policies: Policies

  /// Which other jobs its ticks come after.
  public var after = After()

  /// Into how many parts a run is cut.
  public var parts: Int

  /// The share of the keys that runs are for: less than 100 is a canary.
  public var percent: Int

  /// Whether people are told when something goes wrong with it.
  public var notifies = true

  /// What the settings say of the job's work, where they describe all of it.
  package var described: [SettingLine] = []
}

extension JobSettings {
  /// Every setting of the job that is in force, in the order of `config/worker.toml`.
  package var listing: [SettingLine] {
    let lines =
      [("enabled", "\(isEnabled)")] + schedule.listing + except + after.listing
      + policies.listing
    let rest = [
      ("parts", "\(parts)"), ("percent", "\(percent)"), ("notify", "\(notifies)"),
    ]
    return described
      + (lines + rest).map { key, value in
        SettingLine(name: "jobs.\(name).\(key)", value: value)
      }
  }
}

extension JobSettings {
  private var except: [(String, String)] {
    [("except", schedule.exclusions.calendars.map(\.name).joined(separator: ", "))]
  }
}

extension After {
  fileprivate var listing: [(String, String)] {
    [
      ("after", jobs.map(\.text).joined(separator: ", ")),
      ("after_limit", limit.written),
      ("after_failed", failed.rawValue),
      ("after_missing", missing.rawValue),
    ]
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

extension Policies {
  fileprivate var listing: [(String, String)] {
    [
      ("missed", catchUp.policy.rawValue),
      ("missed_within", catchUp.within.written),
      ("missed_most", "\(catchUp.most)"),
      ("overlap", overlap.rawValue),
      ("start_within", startWithin.written),
      ("jitter", jitter.written),
      ("late_after", lateAfter.written),
      ("priority", "\(priority)"),
      ("soft_limit", softLimit?.written ?? ""),
      ("hard_limit", hardLimit?.written ?? ""),
      ("tries", "\(retry.tries)"),
      ("first_wait", retry.first.written),
      ("longest_wait", retry.longest.written),
      ("worker_losses", "\(retry.workerLosses)"),
      ("parallel", "\(parallelParts ?? 0)"),
      ("batch", "\(batch)"),
      ("fewest", "\(bounds.fewest ?? 0)"),
      ("most", "\(bounds.most ?? 0)"),
      ("times_usual", bounds.timesUsual.map { "\($0)" } ?? "0"),
    ]
  }
}
