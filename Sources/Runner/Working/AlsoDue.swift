internal import Dispatch
internal import JobKit
internal import Synchronization

/// What the last look of a pool at all of its jobs has seen to be due beside the part that it claimed, for the other
/// workers of the pool.
///
/// A look at all jobs costs as much as there are jobs with something due: when a thousand come due at one instant,
/// only every sixtieth of their claims is one, and of workers who want one at the same time one looks. Nothing is
/// claimed because it was seen: a claim of one job looks for itself whether a part of it is due. What was seen only
/// keeps a worker from seeing something more urgent, and so it serves until anything is heard of that a look would see
/// by now, and never for longer than ``lookServesFor``.
final class AlsoDue: Sendable {
  private struct Seen {
    var jobs: ArraySlice<JobName> = []

    /// When the look began, or what others had seen counted no more.
    var since = ContinuousClock.now
  }

  private let seen = Mutex(Seen())

  /// The look that a worker is at.
  private let look = Mutex<DispatchGroup?>(nil)

  /// For how long a look serves, from its beginning: what comes due that this process does not hear of is seen so much
  /// later at most.
  static let lookServesFor = Duration.milliseconds(100)

  /// Begins a look, which must then be ended, or waits until the look of another worker ends.
  ///
  /// A look may hang at the server: whoever has waited in vain for as long as a look serves does not wait again.
  func beginLook(orWait limit: Duration = lookServesFor) -> Turn {
    let other = look.withLock { look -> DispatchGroup? in
      if let look { return look }
      look = DispatchGroup()
      look?.enter()
      return nil
    }
    guard let other else { return .begun }
    return other.wait(timeout: .now() + limit / .seconds(1)) == .success ? .afterAnother : .inVain
  }

  enum Turn {
    case begun, afterAnother, inVain
  }

  func endLook() {
    look.withLock { look in
      look?.leave()
      look = nil
    }
  }

  /// Takes in what a look has seen that began at `since`, unless that is older than what is known.
  func note(_ jobs: [JobName], besides claimed: JobName?, since: ContinuousClock.Instant) {
    var jobs = jobs
    if let place = jobs.firstIndex(where: { $0 == claimed }) { jobs.remove(at: place) }
    seen.withLock { [jobs] seen in
      if since >= seen.since { seen = Seen(jobs: jobs[...], since: since) }
    }
  }

  /// The next job of which a part was due.
  func next(at now: ContinuousClock.Instant = .now) -> JobName? {
    seen.withLock { now - $0.since < Self.lookServesFor ? $0.jobs.popFirst() : nil }
  }

  /// Passes over a job of which no part may be claimed any more.
  func leave(_ job: JobName) {
    seen.withLock { seen in seen.jobs.removeAll { $0 == job } }
  }

  /// Lets the next claim look anew: something may be due that no look before now has seen.
  func forget() {
    seen.withLock { $0 = Seen() }
  }
}
