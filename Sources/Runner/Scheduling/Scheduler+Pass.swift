public import JobKit
public import Ledger
public import LocalTime

extension Scheduler {
  /// What a pass came to.
  public struct Pass: Sendable {
    /// The jobs that it was over, whether there was something to decide or not.
    public internal(set) var jobs: Set<JobName> = []

    /// What was decided, by job.
    public internal(set) var decided: [(job: JobName, ticks: [Tick])] = []

    /// The jobs whose tick was awaited here, and decided by others: it is due all the same.
    public internal(set) var decidedByOthers: Set<JobName> = []

    /// The jobs that could not be decided, and why; they do not stop the others.
    public internal(set) var failures: [(job: JobName, error: any Error)] = []

    /// The jobs that the ledger had no row for, and from where on their ticks are decided anew.
    public internal(set) var entered: [(job: JobName, since: Instant)] = []

    /// The jobs whose cursor was found in the future.
    public internal(set) var clockSteps: [(job: JobName, step: ClockStep)] = []

    /// When what it decided could be claimed, by the ledger's clock; set by whoever made the pass.
    public internal(set) var completedAt: Instant?

    /// How long it took.
    public internal(set) var took: Duration = .zero

    /// The next moment at which something is due, or a job that failed is looked at again.
    public internal(set) var nextTick: Instant?

    /// How many jobs are due at that moment.
    package internal(set) var jobsAtNextTick = 0

    /// How many parts may have come due by it: those that others decided too, of which the maintenance loop would hear
    /// a second later.
    package func dueParts(of jobs: [ScheduledJob]) -> Int {
      let parts = Dictionary(jobs.map { ($0.name, $0.after.jobs.isEmpty ? $0.parts : 0) }) {
        first, _ in first
      }
      let own = decided.map { job, ticks in
        ticks.count { $0.fate == .due } * parts[job, default: 1]
      }
      let others = decidedByOthers.map { parts[$0, default: 1] }
      return (own + others).reduce(0, +)
    }

    /// Whether it has decided ticks of `jobs` that wait for other jobs.
    package func hasWaitingTicks(of jobs: [ScheduledJob]) -> Bool {
      guard jobs.contains(where: { !$0.after.jobs.isEmpty }) else { return false }
      let waiting = Set(jobs.filter { !$0.after.jobs.isEmpty }.map(\.name))
      return decided.contains { job, ticks in
        waiting.contains(job) && ticks.contains { $0.fate == .due }
      }
    }
  }
}
