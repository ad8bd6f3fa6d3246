public import LocalTime

/// What a run that is not over waits for, while no worker has a part of it.
public enum RunWait: Sendable, Equatable {
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
    case .approval: "approval"
    case .nextTry: "next_try"
    case .run: "run"
    case .worker: "worker"
    case .lostWorker: "lost_worker"
    }
  }

  /// When it ends, where that is known.
  public var end: Instant? {
    if case .nextTry(let instant, _) = self { instant } else { nil }
  }
}

extension RunRecord {
  /// What it waits for at a moment; nothing when a worker has a part of it, or it is over.
  public func wait(at now: Instant) -> RunWait? {
    guard finishedAt == nil else { return nil }
    if state == .held { return .approval }
    if held > 0 {
      return leaseUntil.flatMap { $0 < now ? .lostWorker(since: $0) : nil }
    }
    if let dueFrom, dueFrom > now { return .nextTry(at: dueFrom, failures: failures) }
    return runBefore.map { .run($0) } ?? .worker
  }
}
