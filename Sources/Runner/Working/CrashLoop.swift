internal import JobKit
internal import Ledger

/// A part that lost its worker again and again: it probably ends the process that runs it, or the session
/// with the server.
struct CrashLoop: Error, CustomStringConvertible {
  private let run: Int
  private let lossesWithoutProgress: Int

  /// Refuses a part that was interrupted more often than the policies of its new worker allow.
  ///
  /// It is judged here and not where it is rescued: a rescuer of another version would judge by
  /// policies that the part never runs under.
  static func check(_ part: ClaimedPart, under policies: Policies) throws(CrashLoop) {
    guard part.lossesWithoutProgress <= policies.retry.workerLosses else {
      throw CrashLoop(run: part.fence.run, lossesWithoutProgress: part.lossesWithoutProgress)
    }
  }

  var description: String {
    "lost its worker or its connection \(lossesWithoutProgress) times in a row without finishing a chunk, so it is"
      + " given up: this part probably crashes the daemon or its database session; find the cause, then"
      + " 'worker retry \(run)'"
  }
}
