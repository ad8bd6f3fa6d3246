internal import Config
public import JobKit
import Push

/// What defines the jobs of the learning app, in the order of ``jobsWithCode``, which is the only list of them.
public let learningJobs: [JobDefinition] = jobsWithCode(
  by: LearningRules(), pushingThrough: NoTransport(), saying: .builtIn,
  keeping: UnwrittenReports(), isRehearsal: false
).map(\.definition)

/// The switch of the settings that has all of them, or none: `[apps] learning`.
package let learningApp = AppSwitch(
  name: "learning", isOn: true,
  tables: LearningRules.settings.reduce(into: []) { tables, rule in
    let table = String(rule.table.prefix { $0 != "." })
    if !tables.contains(table) { tables.append(table) }
  }, jobs: learningJobs.map(\.name))
