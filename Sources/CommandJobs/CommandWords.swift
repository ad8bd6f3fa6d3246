internal import JobKit
internal import LocalTime

/// The words of a command, some of which stand for what a run is for.
struct CommandWords: Equatable {
  let words: [Word]

  enum Word: Equatable {
    case text(String)
    case value(Name)
  }

  /// What may stand there in the place of a word.
  enum Name: String, CaseIterable {
    case day
    case tick
    case zone
    case run
    case attempt
    case job
  }

  /// Why a word is none.
  enum Fault: Error, Equatable {
    case unknown(String)
  }

  /// The word as the settings write it: `:day` stands for the day, and `::day` for itself.
  static func word(_ text: String) throws(Fault) -> Word {
    guard text.hasPrefix(":"), text.count > 1 else { return .text(text) }
    if text.hasPrefix("::") { return .text(String(text.dropFirst())) }
    guard let name = Name(rawValue: String(text.dropFirst())) else { throw .unknown(text) }
    return .value(name)
  }

  /// What is run for these values.
  func filled(with values: CommandValues) -> [String] {
    words.map { word in
      switch word {
      case .text(let text): text
      case .value(let name): values[name]
      }
    }
  }
}

/// What a run of a command is for.
struct CommandValues {
  let job: JobName
  let tick: Instant

  /// That of the schedule, whose day it is.
  let zone: Zone

  /// The number of the run; a dry run has none.
  let run: Int?

  /// How often the part has been begun, this time included; a dry run does not begin it.
  let attempt: Int?
  let part: PartNumber

  subscript(name: CommandWords.Name) -> String {
    switch name {
    case .day: zone.localDay(of: tick).description
    case .tick: tick.description
    case .zone: zone.name
    case .run: run.map { "\($0)" } ?? ":run"
    case .attempt: attempt.map { "\($0)" } ?? ":attempt"
    case .job: job.text
    }
  }

  /// What every program finds in its environment, and what else the settings put there.
  func variables(
    home: String, _ others: [(name: String, value: String)]
  ) -> [(name: String, value: String)] {
    let path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    let usual = [("PATH", path), ("HOME", home)].filter { one in
      !others.contains { $0.name == one.0 }
    }
    let ours = CommandWords.Name.allCases.map { name in
      ("JOBKIT_\(name.rawValue.uppercased())", self[name])
    }
    let parts = [
      ("JOBKIT_PART", "\(part.number)"), ("JOBKIT_PARTS", "\(part.count)"),
      ("JOBKIT_PROGRESS", "3"),
    ]
    return (usual + ours + parts).map { (name: $0.0, value: $0.1) } + others
  }
}
