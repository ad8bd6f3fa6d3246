internal import CommandJobs
internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime
internal import Migrations
internal import Push
internal import Runner
internal import SQLJobs
internal import Settings

/// The jobs of this program, as far as it has code for them.
enum ProgramJobs {
  /// What there is code for, whatever the settings say.
  static let definitions: [JobDefinition] = {
    let own = (try? Composition.current.jobs(RuleBook())) ?? []
    return rehearsed(LearningBundle.standard + own).map(\.definition)
  }()

  /// A rehearsal is of one job, so that what a test counts is what it rehearses.
  private static func rehearsed(_ jobs: [any Job]) -> [any Job] {
    #if DEBUG
      guard let name = Environment["WORKER_REHEARSAL"] else { return jobs }
      return jobs.filter { $0.definition.name.text == name }
    #else
      return jobs
    #endif
  }

  /// The jobs as the settings want them; without a transport, no push leaves the process.
  private static func jobs(
    of loaded: LoadedSettings, pushingThrough transport: (any PushTransport)? = nil
  ) throws -> [any Job] {
    let settings = loaded.settings
    let jobs =
      try LearningBundle.jobs(of: settings, pushingThrough: transport)
      + Composition.current.jobs(settings.rules)
    return rehearsed(jobs) + described(loaded)
  }

  /// The jobs that the settings describe, whose programs print into the log.
  private static func described(_ loaded: LoadedSettings) -> [any Job] {
    let log = Log.standardError(loaded.settings.log)
    return loaded.described.map { job in
      let name = job.definition.name.text
      return job.printing { line in
        log.info(
          "says: \(line.text)",
          [
            "job": name, "run": "\(line.fence.run)", "part": "\(line.fence.part)",
            "stream": line.stream.rawValue,
          ])
      }
    }
  }

  /// Every job that settings may name.
  static let catalogue = {
    let first = LearningBundle.definitions
    var catalogue = Catalogue(
      first + definitions.filter { !first.contains($0) }, rules: rules)
    catalogue.kinds = SQLJobKind.allCases + [CommandJobKind()]
    catalogue.apps = LearningBundle.switches
    return catalogue
  }()

  /// The rules of the jobs that settings may change.
  private static var rules: [AnyRule] { LearningBundle.rules + Composition.current.rules }

  /// Every job that these settings have: those of the program, and those that they describe themselves.
  static func catalogue(of loaded: LoadedSettings) -> Catalogue {
    Catalogue(catalogue.jobs + loaded.described.map(\.definition), rules: rules)
  }

  /// What there is code for under these settings.
  static func definitions(of loaded: LoadedSettings) -> [JobDefinition] {
    definitions + loaded.described.map(\.definition)
  }

  /// What the workers of this process have in common.
  static func pool(of loaded: LoadedSettings) throws -> WorkerPool {
    pool(of: loaded, with: try code(of: loaded))
  }

  /// The same, for runs of one job by hand: only the one that sends pushes has a way for them.
  ///
  /// No other needs the file of the pushes, which often only the daemon's user may write.
  static func pool(
    of loaded: LoadedSettings, forRunsOf job: JobName, retrying: Bool = true
  ) throws -> WorkerPool {
    let code =
      try job == LearningBundle.deliverer ? code(of: loaded) : jobs(of: loaded)
    return pool(of: loaded, with: code, retrying: retrying)
  }

  /// The same, for a simulation and for a dry run: no push leaves the process.
  static func simulatedPool(of loaded: LoadedSettings) throws -> WorkerPool {
    pool(of: loaded, with: try jobs(of: loaded))
  }

  /// What a daemon runs under these settings.
  static func code(of loaded: LoadedSettings) throws -> [any Job] {
    try jobs(of: loaded, pushingThrough: LearningBundle.transport(loaded.settings))
  }

  private static func pool(
    of loaded: LoadedSettings, with code: [any Job], retrying: Bool = true
  ) -> WorkerPool {
    let name = DaemonID(
      host: Host.name, process: Host.process, version: Build.name,
      settingsHash: loaded.settings.hash, word: UInt32.random(in: .min ... .max),
      schemas: ProgramSchemas.newest)
    let known = settingsByName(in: loaded)
    let members = code.compactMap { job in
      known[job.definition.name].map { settings in
        var policies = settings.policies
        if !retrying { policies.retry.tries = 1 }
        return WorkerPool.Member(job: job, policies: policies)
      }
    }
    return WorkerPool(name: name, jobs: members, zones: loaded.zones, lease: lease)
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
    let known = settingsByName(in: loaded)
    return definitions(of: loaded).compactMap { known[$0.name] }
      .map { ScheduledJob($0, in: loaded.settings) }
  }

  /// A look for each job at the settings of all would take a third of the start with a thousand of them.
  private static func settingsByName(in loaded: LoadedSettings) -> [JobName: JobSettings] {
    Dictionary(
      loaded.settings.jobs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension ScheduledJob {
  /// The job as its settings want it.
  init(_ job: JobSettings, in settings: Settings) {
    self.init(
      name: job.name, schedule: job.schedule, policies: job.policies, after: job.after,
      isEnabled: job.isEnabled, parts: job.parts, percent: job.percent,
      pausedAfter: settings.notify.pausedAfter)
  }
}

extension Settings {
  /// What tells two settings apart, without showing them.
  var hash: String {
    String(
      StableHash.of(listing.map { "\($0.name)=\($0.value)" }.joined(separator: "\n")), radix: 16)
  }
}
