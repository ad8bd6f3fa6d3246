internal import JobKit
internal import Jobs

extension ProgramJobs {
  /// The job's code as one that explains learners, if it does.
  static func explainer(of job: JobSettings, _ loaded: LoadedSettings) throws
    -> any LearnerExplainer
  {
    let jobs = try simulatedCrew(of: loaded).jobs
    if let explainer = jobs[job.name]?.job as? any LearnerExplainer { return explainer }
    throw UnableJob(
      job: job.name, cannot: "explains no learners",
      able: try names(in: loaded) { $0 is any LearnerExplainer })
  }

  /// The job's code as one that makes forecasts, if it does.
  static func forecaster(of job: JobSettings, _ loaded: LoadedSettings) throws -> any Forecaster {
    let jobs = try simulatedCrew(of: loaded).jobs
    if let forecaster = jobs[job.name]?.job as? any Forecaster { return forecaster }
    throw UnableJob(
      job: job.name, cannot: "makes no forecast",
      able: try names(in: loaded) { $0 is any Forecaster })
  }

  private static func names(
    in loaded: LoadedSettings, where isAble: (any Job) -> Bool
  ) throws -> [JobName] {
    let jobs = try simulatedCrew(of: loaded).jobs
    return loaded.settings.jobs.map(\.name).filter { name in
      jobs[name].map { isAble($0.job) } ?? false
    }
  }
}

/// A job was asked for what it cannot do.
struct UnableJob: Error, Equatable, CustomStringConvertible {
  let job: JobName
  let cannot: String

  /// The jobs that can.
  let able: [JobName]

  var description: String {
    let others = able.map { "'\($0)'" }.joined(separator: ", ")
    return "'\(job)' \(cannot)"
      + (able.isEmpty ? ": no job does" : ": write one that does, \(others)")
  }
}
