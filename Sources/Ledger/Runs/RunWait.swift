internal import JobKit
public import LocalTime

/// What a run that is not over waits for, while no worker has a part of it.
public enum RunWait: Sendable, Equatable {
  /// A time that the app named when it asked for the run.
  case time(Instant)

  /// The success of other jobs, until then at most.
  case jobs([Predecessor], until: Instant)

  /// A daemon that makes it due: none does while its job is paused or blocked.
  case daemon
  case approval

  /// Its next try may begin then, after so many that failed.
  case nextTry(at: Instant, failures: Int)

  /// Another run of its job must be over first.
  case run(Int)

  /// A worker of a daemon.
  case worker

  /// A daemon takes back what its worker had: that has not renewed its lease, which ended then.
  case lostWorker(since: Instant)
}

extension RunWait {
  /// What the wait is for, as machines read it.
  public var kind: String {
    switch self {
    case .time: "time"
    case .jobs: "jobs"
    case .daemon: "daemon"
    case .approval: "approval"
    case .nextTry: "next_try"
    case .run: "run"
    case .worker: "worker"
    case .lostWorker: "lost_worker"
    }
  }

  /// When it ends, or does so at the latest, where that is known.
  public var end: Instant? {
    switch self {
    case .nextTry(let instant, _), .time(let instant), .jobs(_, let instant): instant
    default: nil
    }
  }
}

extension RunRecord {
  /// What it waits for at a moment; nothing when a worker has a part of it, or it is over.
  public func wait(at now: Instant) -> RunWait? {
    guard finishedAt == nil else { return nil }
    if state == .waiting {
      let awaited = predecessors.filter { $0.answer != .run }
      if let afterUntil, !awaited.isEmpty { return .jobs(awaited, until: afterUntil) }
      return waitsUntil.flatMap { $0 > now ? .time($0) : nil } ?? .daemon
    }
    if state == .held { return .approval }
    if held > 0 {
      return leaseUntil.flatMap { $0 < now ? .lostWorker(since: $0) : nil }
    }
    if let dueFrom, dueFrom > now { return .nextTry(at: dueFrom, failures: failures) }
    return runBefore.map { .run($0) } ?? .worker
  }
}
