import Config
import FoundationEssentials
import JobKit
import LocalTime
import Settings
import TestKit

/// Settings as these tests read them: three jobs, and the zones that `script/test` gives.
enum SampleSettings {
  static let catalogue = Catalogue([
    JobDefinition(
      name: "schedule_daily_push", purpose: "plans pushes", schedule: .cron("*/5 * * * *")),
    JobDefinition(
      name: "settle_rewards", purpose: "settles", schedule: .every(.seconds(60)),
      policies: settling, parts: 3),
    JobDefinition(
      name: "refresh_leaderboard", purpose: "ranks learners", schedule: .cron("0 4 * * *"),
      zone: "Europe/Zurich", dst: .skipMissing, isEnabled: false),
  ])

  /// How rewards are settled unless the settings say otherwise.
  static let settling: Policies = {
    var policies = Policies()
    policies.softLimit = .seconds(600)
    policies.parallelParts = 2
    policies.bounds = Bounds(most: 1000, timesUsual: 4)
    policies.mayBackfill = false
    return policies
  }()

  /// Opened once: to list its names a folder without an index is walked.
  static let zones = Result { try ZoneDatabase(root: zoneinfo) }

  static func load(
    _ text: String, environment: [String: String] = [:]
  ) throws -> LoadedSettings {
    try SettingsText(text, catalogue, environment: environment).load()
  }

  /// All that is said about a text, without the name of the file.
  static func problems(in text: String, environment: [String: String] = [:]) throws -> [String] {
    try SettingsText(text, catalogue, environment: environment).problems
  }

  private static var zoneinfo: String {
    get throws {
      guard let folder = ProcessInfo.processInfo.environment[Unset.zoneinfo.variable] else {
        throw Unset.zoneinfo
      }
      return folder
    }
  }
}

/// A variable that the tests need and that is not set.
///
/// It is thrown and not required: each test that needs it fails, not only the first.
struct Unset: Error, CustomStringConvertible {
  let variable: String

  static let zoneinfo = Unset(variable: "WORKER_TEST_ZONEINFO")

  var description: String { "run script/test: it sets \(variable)" }
}
