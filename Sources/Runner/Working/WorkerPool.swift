public import JobKit
public import Ledger
public import LocalTime

/// What all workers of one process have in common: their name, the jobs they have code for, the lease.
public struct WorkerPool: Sendable {
  /// How long a part is ours without a heartbeat.
  public let lease: Duration

  public let activeParts = ActiveParts()
  let alsoDue = AlsoDue()
  private let shared: PoolMembers

  /// A job that there is code for, and how its runs are treated.
  public struct Member: Sendable {
    public fileprivate(set) var job: any Job
    public fileprivate(set) var policies: Policies

    public init(job: any Job, policies: Policies) {
      self.job = job
      self.policies = policies
    }
  }

  public init(
    name: DaemonID, jobs: [Member], zones: ZoneDatabase, lease: Duration = .seconds(15)
  ) {
    let members = Dictionary(
      jobs.map { ($0.job.definition.name, $0) }, uniquingKeysWith: { first, _ in first })
    shared = PoolMembers(PoolMembers.Content(name: name, jobs: members, zones: zones))
    self.lease = lease
  }
}

extension WorkerPool {
  public var name: DaemonID { shared.now.name }

  public var jobs: [JobName: Member] { shared.now.jobs }

  public var zones: ZoneDatabase { shared.now.zones }

  /// Treats what is claimed from now on as these jobs say; what is nil stays as it is.
  ///
  /// What runs goes on as it began, and stays held. `code` is that of all jobs: there are others than before where
  /// settings describe jobs.
  func renew(
    _ jobs: [ScheduledJob], code: [any Job], zones: ZoneDatabase?, settingsHash: String?
  ) {
    shared.change { content in
      content.zones = zones ?? content.zones
      content.name.settingsHash = settingsHash ?? content.name.settingsHash
      for job in jobs { content.jobs[job.name]?.policies = job.policies }
      if !code.isEmpty { content.take(on: code, scheduledAs: jobs) }
    }
    alsoDue.forget()
  }
}

extension PoolMembers.Content {
  fileprivate mutating func take(on code: [any Job], scheduledAs scheduled: [ScheduledJob]) {
    let before = jobs
    let wanted = Dictionary(
      scheduled.map { ($0.name, $0.policies) }, uniquingKeysWith: { first, _ in first })
    jobs = [:]
    for job in code {
      let name = job.definition.name
      let policies = wanted[name] ?? before[name]?.policies
      jobs[name] = policies.map { WorkerPool.Member(job: job, policies: $0) }
    }
  }
}
