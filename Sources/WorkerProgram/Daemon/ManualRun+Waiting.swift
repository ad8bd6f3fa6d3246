internal import Config
internal import JobKit
internal import Jobs
internal import Ledger
internal import LocalTime

extension ManualRun {
  /// Waits until no other run of the job comes first, as long as --wait says; false when Ctrl-C ended it.
  ///
  /// What others have left is theirs: it is worked at by a daemon, or with --resume.
  func awaitTurn() throws -> Bool {
    guard job.policies.overlap.isExclusive else { return true }
    return try awaitEnd {
      try Ledger.openRun(
        of: job.name, before: job.policies.priority, on: session.connection)
    }
  }

  /// Waits until there is no such run, as long as --wait says, and then refuses; false when Ctrl-C ended it.
  func awaitEnd(of look: () throws -> RunRecord?) throws -> Bool {
    let patience = try Self.patience(arguments[.wait])
    var isTold = false
    while let other = try look() {
      if interruption.comes(within: 0) { return false }
      let now = try LedgerClock.database.now(on: session.connection)
      guard now < session.now + patience else { try refuse(beside: other) }
      if !isTold { console.remark("waits for run \(other.id), which \(other.standing(at: now))") }
      isTold = true
      // Half a second is nothing to who waits by hand, and nobody tells when the other ends.
      _ = interruption.comes(within: 500)
    }
    return !interruption.comes(within: 0)
  }

  static func patience(_ text: String?) throws(UsageError) -> Duration {
    guard let text else { return .zero }
    guard let patience = Duration(written: text) else {
      throw UsageError(
        .badValue(text, of: .wait, expected: "write a duration such as 5m"), command: .run)
    }
    return patience
  }
}
