/// Which other jobs a job's ticks come after: a tick waits until those have succeeded for its moment.
///
/// For a moment counts the newest tick of the other job at or before it.
public struct After: Sendable, Hashable {
  /// The jobs that have to succeed first; with none, no tick waits.
  public var jobs: [JobName]

  /// How long a tick waits at most; then it is missed.
  public var limit: Duration

  /// What a tick does when the run of one of them has failed or was cancelled.
  public var failed: Answer

  /// What a tick does when one of them has not run at all: skipped, missed, or no tick by then.
  public var missing: Answer

  /// Coming after some jobs, or after none.
  public init(
    _ jobs: [JobName] = [], limit: Duration = .seconds(21_600), failed: Answer = .skip,
    missing: Answer = .skip
  ) {
    (self.jobs, self.limit, self.failed, self.missing) = (jobs, limit, failed, missing)
  }

  /// What a tick does that comes after a job which has not succeeded.
  public enum Answer: String, Sendable, CaseIterable {
    /// It is skipped.
    case skip

    /// It waits for somebody who lets the other job succeed after all.
    case wait

    /// It runs all the same.
    case run
  }
}
