internal import JobKit

/// Every job of the settings as it is simulated.
struct SimulatedJobs {
  let scheduled: [ScheduledJob]
  let crew: Crew

  /// The jobs that do nothing here: there is no code for them, or it reaches beyond Postgres.
  let idle: [JobName]
}

extension ProgramJobs {
  /// The jobs of the settings, each with its code when that works in Postgres alone.
  ///
  /// In the others' place stands one that does nothing: whatever their code would reach, a learner's
  /// phone for one, is no part of a simulation.
  static func simulated(_ loaded: LoadedSettings) -> SimulatedJobs {
    let crew = crew(of: loaded)
    let withCode = scheduled(loaded)
    let jobs = loaded.settings.jobs.compactMap { settings in
      withCode.first { $0.name == settings.name } ?? withoutCode(settings)
    }
    let able = crew.jobs.values.filter(\.job.worksInPostgresAlone)
    let idle = jobs.filter { job in !able.contains { $0.job.definition.name == job.name }
    }
    let substitutes = idle.compactMap { job in
      catalogue[job.name].map { Crew.Member(job: NoWork(of: $0), policies: job.policies) }
    }
    return SimulatedJobs(
      scheduled: jobs,
      crew: Crew(name: crew.name, jobs: able + substitutes, zones: crew.zones, lease: crew.lease),
      idle: idle.map(\.name))
  }

  private static func withoutCode(_ settings: JobSettings) -> ScheduledJob? {
    catalogue[settings.name].map { job in
      ScheduledJob(
        name: job.name, schedule: settings.schedule, policies: job.policies,
        isEnabled: settings.isEnabled, parts: job.parts)
    }
  }
}
