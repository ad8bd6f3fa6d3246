internal import Config
internal import JobKit
internal import Ledger
internal import LocalTime

extension RunRecord {
  /// What it does, in words for people: its state alone calls a run running that waits for its next try, and a row
  /// of missed ticks collapsed.
  ///
  /// One that is followed is told of again when that changes, which a time that is left does all the while.
  func condition(at now: Instant, isFollowed: Bool = false) -> String {
    switch wait(at: now) {
    case nil: (fate ?? state).rawValue
    case .time(let instant):
      isFollowed
        ? "waits for its time" : "begins \(Times.distance(from: now, to: instant))"
    case .jobs(let awaited, _): "waits for \(awaited.map(\.job.text).listed(with: "and"))"
    case .daemon: "waits for a daemon"
    case .approval: "held"
    case .nextTry(let instant, _):
      isFollowed
        ? "waits for its next try" : "tries again \(Times.distance(from: now, to: instant))"
    case .run(let other): "waits for run \(other)"
    case .worker: "waits for a worker"
    case .lostWorker: "lost its worker"
    }
  }

  /// The same as the end of a sentence about it.
  func standing(at now: Instant) -> String {
    switch wait(at: now) {
    case nil: (fate ?? state).predicate
    case .time(let instant): "is asked for to begin \(Times.distance(from: now, to: instant))"
    case .jobs(let awaited, let end):
      "waits for \(awaited.map(\.standing).joined(separator: ", and for "));"
        + " its wait ends \(Times.distance(from: now, to: end)) at the latest"
    case .daemon: "waits for a daemon to make it due, or for the end of a pause or a block"
    case .approval: "is held for approval: \(what)"
    case .nextTry(let instant, let failures): nextTry(at: instant, after: failures, now)
    case .run(let other): "waits for the end of run \(other)"
    case .worker: "waits for a worker"
    case .lostWorker(let since):
      "lost its worker: its lease ended \(Times.distance(from: now, to: since))"
    }
  }

  private func nextTry(at instant: Instant, after failures: Int, _ now: Instant) -> String {
    let begun = "waits for its next try \(Times.distance(from: now, to: instant))"
    guard failures > 0, let error else { return begun }
    return "\(begun), as \(failures == 1 ? "a try" : "\(failures) tries") failed: \(error)"
  }

  /// How much of it is done and stays done.
  var kept: String {
    guard done > 0 else { return "nothing of it was done" }
    return total.map { "\(done) of \($0) are done and kept" } ?? "\(done) are done and kept"
  }

  /// The members of its JSON that say what it waits for.
  func waitJSON(at now: Instant) -> [JSON.Member] {
    let wait = wait(at: now)
    return [
      JSON.Member("waits_for", JSON(wait?.kind)),
      JSON.Member("waits_until", JSON(wait?.end?.description)),
      JSON.Member("run_before", runBefore.map { .integer($0) } ?? .null),
      JSON.Member("after", .array(after.map { .string($0.text) })),
      JSON.Member("predecessors", .array(predecessors.map(\.json))),
    ]
  }
}

extension RunState {
  /// What a run of this state is or has become, behind its name in a sentence.
  fileprivate var predicate: String {
    switch self {
    case .succeeded: "has succeeded"
    case .failed: "has failed"
    case .cancelled: "was cancelled"
    case .skipped: "was skipped"
    case .missed: "was missed"
    case .collapsed: "did not run"
    case .waiting: "is waiting"
    case .due: "is due"
    case .held: "is held"
    case .running: "is running"
    }
  }
}
