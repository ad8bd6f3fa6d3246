public import Config
public import JobKit

/// The jobs of the learning app: a new one is a folder beside this file and a line here.
private let everyJob: [any LearningJob.Type] = [
  ScheduleDailyPush.self,
  DeliverPushes.self,
  SweepPushOutcomes.self,
  RecommendReview.self,
  DetectStreakBreaks.self,
  SettleRewards.self,
  RefreshLeaderboard.self,
  RefreshWidgetSnapshots.self,
  PurgeExpired.self,
]

/// The jobs by the rules of the settings, or by those that hold where the settings say nothing.
package func learningJobs(
  by book: RuleBook = RuleBook(), with services: LearningServices = LearningServices()
) -> [any Job] {
  everyJob.map { $0.init(book, services) }
}

/// What defines each of them.
public let learningDefinitions: [JobDefinition] = learningJobs().map(\.definition)

/// All that the settings may change of them, a table after the other.
public let learningSettings: [AnyRule] = {
  let rules = everyJob.flatMap { $0.settings }
  var tables: [String] = []
  for rule in rules where !tables.contains(rule.table) { tables.append(rule.table) }
  return tables.flatMap { table in rules.filter { $0.table == table } }
}()

/// The switch of the settings that has all of them, or none: `[apps] learning`.
package let learningApp = AppSwitch(
  name: "learning", isOn: true,
  tables: learningSettings.reduce(into: []) { tables, rule in
    let table = String(rule.table.prefix { $0 != "." })
    if !tables.contains(table) { tables.append(table) }
  }, jobs: learningDefinitions.map(\.name))
