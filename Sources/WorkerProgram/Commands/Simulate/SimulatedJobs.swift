internal import JobKit
internal import Ledger
internal import Runner
internal import Settings

/// The jobs as they are simulated: each with its code when that works in Postgres alone.
///
/// In the others' place stands one that does nothing: whatever their code would reach, a learner's phone
/// for one, is no part of a simulation.
struct SimulatedJobs {
  let scheduled: [ScheduledJob]
  let pool: WorkerPool

  /// The jobs that do nothing here: there is no code for them, or it reaches beyond Postgres.
  let idle: [JobName]

  /// Simulates `jobs` of a catalogue by a pool that has code for some of them.
  init(_ jobs: [ScheduledJob], of catalogue: Catalogue, by pool: WorkerPool) {
    let able = pool.jobs.filter { !$0.value.job.hasExternalEffects }
    let idle = jobs.filter { able[$0.name] == nil }
    let substitutes = idle.compactMap { job in
      catalogue[job.name].map { WorkerPool.Member(job: NoWork(of: $0), policies: job.policies) }
    }
    scheduled = jobs
    self.pool = WorkerPool(
      name: pool.name, jobs: able.values + substitutes, zones: pool.zones, lease: pool.lease)
    self.idle = idle.map(\.name)
  }
}

extension ProgramJobs {
  /// Every job of the settings, whether there is code for it or not.
  static func simulated(_ loaded: LoadedSettings) throws -> SimulatedJobs {
    try SimulatedJobs(
      loaded.settings.jobs.map { ScheduledJob($0, in: loaded.settings) }, of: catalogue(of: loaded),
      by: simulatedPool(of: loaded))
  }
}
