internal import JobKit
internal import Jobs
internal import LocalTime

/// The jobs of this program, as far as it has code for them.
enum ProgramJobs {
  private static let withCode = jobsWithCode(isRehearsal: Environment["WORKER_REHEARSAL"] != nil)

  /// Every job that settings may name.
  static let catalogue = Catalogue(
    learningJobs + withCode.map(\.definition).filter { !learningJobs.contains($0) })

  /// What the workers of this process have in common.
  static func crew(of loaded: LoadedSettings) -> Crew {
    let name = WorkerName(
      host: Host.name, process: Host.process, version: "\(Build.version) \(Build.commit)",
      settingsHash: loaded.settings.hash, word: UInt32.random(in: .min ... .max))
    let members = underSettings(loaded).map { Crew.Member(job: $0, policies: $1.policies) }
    return Crew(name: name, jobs: members, zones: loaded.zones, lease: lease)
  }

  /// How long a part is ours without a heartbeat; a rehearsal may have less patience.
  private static var lease: Duration {
    #if DEBUG
      if let lease = Environment["WORKER_REHEARSAL_LEASE"].flatMap(Duration.init(written:)) {
        return lease
      }
    #endif
    return .seconds(15)
  }

  /// The jobs that there is code for, under their settings.
  static func scheduled(_ loaded: LoadedSettings) -> [ScheduledJob] {
    underSettings(loaded).map { ScheduledJob($1) }
  }

  private static func underSettings(_ loaded: LoadedSettings) -> [(any Job, JobSettings)] {
    withCode.compactMap { job in
      loaded.settings.jobs.first { $0.name == job.definition.name }.map { (job, $0) }
    }
  }
}

extension ScheduledJob {
  /// The job as its settings want it.
  init(_ settings: JobSettings) {
    self.init(
      name: settings.name, schedule: settings.schedule, policies: settings.policies,
      isEnabled: settings.isEnabled, parts: settings.parts, percent: settings.percent)
  }
}

extension Settings {
  /// What tells two settings apart, without showing them.
  var hash: String {
    String(
      StableHash.of(listing.map { "\($0.name)=\($0.value)" }.joined(separator: "\n")), radix: 16)
  }
}
