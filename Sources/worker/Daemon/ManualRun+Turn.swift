internal import Config
internal import JobKit
internal import LocalTime
internal import Postgres

extension ManualRun {
  /// Waits until no other run of the job is open, as long as --wait says; false when Ctrl-C ended it.
  ///
  /// A run that nobody works at is gone on with: its worker was killed, with no daemon alive that
  /// would take it over, and it would stand in the way for good.
  func awaitTurn() throws -> Bool {
    guard job.policies.overlap.isExclusive else { return true }
    let end = opened.now + (try Self.patience(arguments[.wait]))
    while let other = try Ledger.openRun(of: job.name, on: opened.connection) {
      if try isLeft(other), try goOn(with: other) { continue }
      if interruption.comes(within: 0) { return false }
      let isOver = try LedgerClock.database.now(on: opened.connection) >= end
      if isOver, let still = try Ledger.openRun(of: job.name, on: opened.connection) {
        try refuse(beside: still)
      }
      if !isOver { _ = pause() }
    }
    return !interruption.comes(within: 0)
  }

  /// Refuses to run beside another run, with who works at it.
  func refuse(beside other: RunRecord) throws -> Never {
    let part = try Ledger.parts(of: other.id, on: opened.connection).first { $0.worker != nil }
    throw Refused.running(job.name, run: other, part: part)
  }

  /// Works off what can be claimed of a run that was left; false when that is nothing.
  private func goOn(with other: RunRecord) throws -> Bool {
    let display = RunDisplay(of: other.id, server: opened.server, console: console)
    defer { display.end() }
    let run = runAtHand(
      other.id, opening: "run \(other.id), which nobody works at any more, goes on first")
    try withWorkers(at: run, parts: other.parts) { worker in try run.workOff(by: &worker) }
    if let ended = try Ledger.run(other.id, on: opened.connection), ended.finishedAt != nil {
      console.remark(try sentence(of: ended))
    }
    return run.hasBegun
  }

  /// Whether nobody works at a run that could go on, nor will by itself.
  ///
  /// Between one part and the next nobody does for a moment either, so it takes a second look, and as many
  /// more as the heart of this process needs to take back a part whose lease is over.
  private func isLeft(_ run: RunRecord) throws -> Bool {
    guard run.state != "held", try standing(of: run) != .inHands, try !hasDaemon() else {
      return false
    }
    for _ in 1...20 where !pause() {
      switch try standing(of: run) {
      case .inHands: return false
      case .silent: continue
      case .claimable: return true
      }
    }
    return false
  }

  /// What could be done at a run now.
  private enum Standing {
    /// Somebody works at it, or its next try is to come.
    case inHands
    /// Those who work at it have not told in time that they live.
    case silent
    case claimable
  }

  private func standing(of run: RunRecord) throws -> Standing {
    let parts = try Ledger.parts(of: run.id, on: opened.connection)
    let now = try LedgerClock.database.now(on: opened.connection)
    let running = parts.filter { $0.state == "running" }
    guard running.allSatisfy({ $0.isSilent(now) }) else { return .inHands }
    if parts.contains(where: { $0.state == "due" && $0.notBefore <= now }) { return .claimable }
    return running.isEmpty ? .inHands : .silent
  }

  /// Whether a daemon lives that takes over what is left of the job.
  private func hasDaemon() throws -> Bool {
    try opened.hasDaemon(for: job.name, at: LedgerClock.database.now(on: opened.connection))
  }

  /// Waits for half a second, which is nothing to who waits by hand, as nobody tells when the other ends;
  /// true when Ctrl-C came.
  private func pause() -> Bool { interruption.comes(within: 500) }

  private static func patience(_ text: String?) throws(UsageError) -> Duration {
    guard let text else { return .zero }
    guard let patience = Duration(written: text) else {
      throw UsageError(
        .badValue(text, of: .wait, expected: "write a duration such as 5m"), command: .run)
    }
    return patience
  }
}

extension PartRecord {
  /// Whether its worker has not told in time that it lives.
  fileprivate func isSilent(_ now: Instant) -> Bool { leaseUntil.map { $0 < now } ?? true }
}
