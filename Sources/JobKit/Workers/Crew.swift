public import LocalTime

/// What all workers of one process have in common: their name, the jobs they have code for, the lease.
public struct Crew: Sendable {
  public let name: WorkerName
  public let jobs: [JobName: Member]
  public let zones: ZoneDatabase

  /// How long a part is ours without a heartbeat.
  public let lease: Duration

  public let holdings = Holdings()

  /// A job that there is code for, and how its runs are treated.
  public struct Member: Sendable {
    public let job: any Job
    public let policies: Policies

    public init(job: any Job, policies: Policies) {
      self.job = job
      self.policies = policies
    }
  }

  public init(
    name: WorkerName, jobs: [Member], zones: ZoneDatabase, lease: Duration = .seconds(15)
  ) {
    self.name = name
    self.jobs = Dictionary(
      jobs.map { ($0.job.definition.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.zones = zones
    self.lease = lease
  }
}
