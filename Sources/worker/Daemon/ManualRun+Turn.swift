internal import JobKit
internal import LocalTime
internal import Postgres

extension ManualRun {
  /// Waits until no other run of the job is open, as long as --wait says; false when Ctrl-C ended it.
  ///
  /// A run that nobody works at is gone on with: its worker was killed, perhaps with no daemon alive that
  /// would take it over, and it would stand in the way for good.
  func awaitTurn() throws -> Bool {
    guard job.policies.overlap.isExclusive else { return true }
    let end = opened.now + (try Self.patience(arguments[.wait]))
    while let other = try Ledger.openRun(of: job.name, on: opened.connection) {
      if interruption.comes(within: 0) { return false }
      if try isLeft(other), try goOn(with: other) > 0 { continue }
      guard try LedgerClock.database.now(on: opened.connection) < end else {
        let part = try Ledger.parts(of: other.id, on: opened.connection).first { $0.worker != nil }
        throw Refused.running(job.name, run: other, part: part)
      }
      _ = pause()
    }
    return !interruption.comes(within: 0)
  }

  private func goOn(with other: RunRecord) throws -> Int {
    console.remark("run \(other.id), which nobody works at any more, goes on first")
    let done = try workOff(other.id)
    if let ended = try Ledger.run(other.id, on: opened.connection) {
      console.remark(try sentence(of: ended))
    }
    return done
  }

  /// Whether nobody works at a run that could go on, now and at a second look.
  ///
  /// Between one part and the next, nobody does for a moment either.
  private func isLeft(_ run: RunRecord) throws -> Bool {
    guard run.state != "held", try hasOnlyLeftParts(run) else { return false }
    return try !pause() && hasOnlyLeftParts(run)
  }

  private func hasOnlyLeftParts(_ run: RunRecord) throws -> Bool {
    let parts = try Ledger.parts(of: run.id, on: opened.connection)
    let now = try LedgerClock.database.now(on: opened.connection)
    return !parts.contains { $0.isWorkedAt(now) } && parts.contains { $0.isLeft(now) }
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
  /// Whether its worker has told in time that it lives.
  fileprivate func isWorkedAt(_ now: Instant) -> Bool {
    state == "running" && leaseUntil.map { $0 >= now } ?? false
  }

  /// Whether it could be worked at, and is not.
  fileprivate func isLeft(_ now: Instant) -> Bool {
    state == "running" && !isWorkedAt(now) || state == "due" && notBefore <= now
  }
}
