internal import JobKit
internal import Jobs
internal import Runner
internal import Settings

extension ProgramJobs {
  /// The job's code as one that explains learners, if it does.
  static func explainer(
    of job: JobSettings, _ loaded: LoadedSettings
  ) throws -> any LearnerExplainer {
    let able = try code(in: loaded).compactMap { $0 as? any LearnerExplainer }
    return try choose(job, from: able, orRefuse: "cannot say what it decided of a learner")
  }

  /// The job's code as one that explains rows, if it does.
  static func keyExplainer(
    of job: JobSettings, _ loaded: LoadedSettings
  ) throws -> any KeyExplainer {
    let able = try code(in: loaded).compactMap { $0 as? any KeyExplainer }
    return try choose(job, from: able, orRefuse: "cannot say what it would do with a row")
  }

  /// The job's code as one that makes forecasts, if it does.
  static func forecaster(of job: JobSettings, _ loaded: LoadedSettings) throws -> any Forecaster {
    let able = try code(in: loaded).compactMap { $0 as? any Forecaster }
    return try choose(job, from: able, orRefuse: "cannot make a forecast")
  }

  /// The code of the jobs that say what came of them for learners.
  static func reporters(_ loaded: LoadedSettings) throws -> [any Reporter] {
    try code(in: loaded).compactMap { $0 as? any Reporter }
  }

  /// The code of every job, without a way for pushes to leave the process, in the order of the settings.
  private static func code(in loaded: LoadedSettings) throws -> [any Job] {
    let jobs = try simulatedPool(of: loaded).jobs
    return loaded.settings.jobs.compactMap { jobs[$0.name]?.job }
  }

  private static func choose<Code>(
    _ job: JobSettings, from able: [Code], orRefuse cannot: String
  ) throws -> Code {
    let names = able.compactMap { ($0 as? any Job)?.definition.name }
    guard let index = names.firstIndex(of: job.name) else {
      throw UnableJob(job: job.name, cannot: cannot, able: names)
    }
    return able[index]
  }
}

/// A job was asked for what it cannot do.
struct UnableJob: Error, Equatable, CustomStringConvertible {
  let job: JobName
  let cannot: String

  /// The jobs that can.
  let able: [JobName]

  var description: String {
    guard !able.isEmpty else { return "'\(job)' \(cannot); no job can" }
    let others = able.map { "'\($0)'" }.joined(separator: ", ")
    return "'\(job)' \(cannot); \(able.count == 1 ? "this job" : "these jobs") can: \(others)"
  }
}

extension UnableJob: EndingError {
  var exitCode: ExitCode { .badData }
}
