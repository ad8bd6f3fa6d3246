internal import JobKit
internal import Jobs
internal import LocalTime
internal import Push

/// The jobs of this program, as far as it has code for them.
enum ProgramJobs {
  private static let withCode = code(pushingThrough: pushLog.transport)

  private static func code(pushingThrough transport: any PushTransport) -> [any Job] {
    jobsWithCode(
      isRehearsal: Environment["WORKER_REHEARSAL"] != nil, pushingThrough: transport,
      saying: .builtIn)
  }

  /// Where pushes are written: standard output, or the file that a rehearsal names.
  private static var pushLog: PushLog {
    #if DEBUG
      if let log = Environment["WORKER_REHEARSAL_PUSHES"].flatMap({
        try? PushLog(appendingTo: $0)
      }) {
        return log
      }
    #endif
    return PushLog()
  }

  /// Every job that settings may name.
  static let catalogue = Catalogue(
    learningJobs + withCode.map(\.definition).filter { !learningJobs.contains($0) })

  /// What the workers of this process have in common.
  static func crew(of loaded: LoadedSettings) -> Crew { crew(of: loaded, with: withCode) }

  /// The same, for a simulation: no push leaves the process.
  static func simulatedCrew(of loaded: LoadedSettings) -> Crew {
    crew(of: loaded, with: code(pushingThrough: NoTransport()))
  }

  private static func crew(of loaded: LoadedSettings, with code: [any Job]) -> Crew {
    let name = WorkerName(
      host: Host.name, process: Host.process, version: "\(Build.version) \(Build.commit)",
      settingsHash: loaded.settings.hash, word: UInt32.random(in: .min ... .max))
    let members = underSettings(loaded, code).map { Crew.Member(job: $0, policies: $1.policies) }
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
    underSettings(loaded, withCode).map { ScheduledJob($1) }
  }

  private static func underSettings(
    _ loaded: LoadedSettings, _ code: [any Job]
  ) -> [(any Job, JobSettings)] {
    code.compactMap { job in
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
