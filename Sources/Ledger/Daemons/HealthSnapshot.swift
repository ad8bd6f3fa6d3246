public import JobKit
public import LocalTime

/// What the ledger says of all jobs and daemons, as of one moment.
public struct HealthSnapshot: Sendable, Equatable {
  public let now: Instant

  /// How many daemons are alive, whoever asks included.
  public let daemons: Int

  /// How many of them have decided what is due, and begin it.
  public let ready: Int

  /// How many of them begin nothing new.
  public let draining: Int

  /// When any daemon was seen last.
  public let lastSeen: Instant?

  public let jobs: [Job]

  package init(
    now: Instant, daemons: Int, ready: Int, draining: Int, lastSeen: Instant?, jobs: [Job]
  ) {
    self.now = now
    self.daemons = daemons
    self.ready = ready
    self.draining = draining
    self.lastSeen = lastSeen
    self.jobs = jobs
  }

  /// One job as the ledger knows it.
  public struct Job: Sendable, Equatable {
    public let name: JobName
    public let decidedUntil: Instant
    public let pause: Pause?

    /// The oldest run that waits for approval, and since when it would have run.
    public let held: Waiting?

    /// The oldest tick that is due and that no worker has begun.
    public let waiting: Waiting?

    /// Since when the first of its ticks waits for other jobs, and until when it does at most.
    public package(set) var awaiting: Awaiting?

    /// When a scheduled run succeeded last, among those that were looked at.
    public package(set) var lastSuccess: Instant?

    /// The failures since then, among those that were looked at.
    public let failing: Failing?

    /// Which table or right it lacks.
    public let blocked: Block?

    /// Whether a daemon has ever scheduled it: what was only run by hand has no ticks to be decided.
    public let isScheduled: Bool
    public let hasDaemon: Bool
  }

  /// The newest runs of a job that ended have all failed.
  public struct Failing: Sendable, Equatable {
    /// The newest of them, and why that failed.
    public let run: Int
    public let reason: String
    public let times: Int
    public let since: Instant

    /// Whether the job is known to have succeeded before.
    public let hasSucceeded: Bool

    /// One failure between successes is no more than that.
    public var isProblem: Bool { times > 1 || !hasSucceeded }
  }

  /// Ticks that wait for other jobs.
  public struct Awaiting: Sendable, Equatable {
    public let run: Int
    public let since: Instant
    public let until: Instant
  }

  public struct Waiting: Sendable, Equatable {
    public let run: Int
    public let since: Instant
  }
}
