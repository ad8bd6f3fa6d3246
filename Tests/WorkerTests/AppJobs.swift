import JobKit
import Jobs

/// The jobs of the learning app, by name: who adds one adds it to no list of a test.
enum AppJobs {
  static let all = learningDefinitions.map { "\($0.name)" }

  /// Those that can be asked to look at everybody.
  static let incremental = learningDefinitions.filter { definition in
    definition.arguments.contains { $0.name == "full" }
  }.map { "\($0.name)" }

  static func all(but names: String...) -> [String] { all.filter { !names.contains($0) } }
}
