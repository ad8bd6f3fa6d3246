internal import JobKit
internal import Synchronization

/// What the last look at all jobs has seen to be due beside the part that it claimed, for the other workers of the
/// process.
///
/// A look at all jobs costs as much as there are jobs with something due: when a thousand come due at one instant,
/// only every sixtieth of their claims is one. What is seen serves for an instant, so that what becomes due
/// meanwhile and is more urgent waits no longer than that.
final class AlsoDue: Sendable {
  private struct Seen {
    var jobs: ArraySlice<JobName> = []
    var until = ContinuousClock.now
  }

  private let seen = Mutex(Seen())

  private static let freshness = Duration.milliseconds(100)

  func note(_ jobs: [JobName], besides claimed: JobName) {
    let until = ContinuousClock.now + Self.freshness
    var jobs = jobs
    if let place = jobs.firstIndex(of: claimed) { jobs.remove(at: place) }
    seen.withLock { [jobs] seen in seen = Seen(jobs: jobs[...], until: until) }
  }

  /// The next job of which a part was due.
  func next() -> JobName? {
    let now = ContinuousClock.now
    return seen.withLock { $0.until > now ? $0.jobs.popFirst() : nil }
  }

  func forget() { seen.withLock { $0.jobs = [] } }
}
