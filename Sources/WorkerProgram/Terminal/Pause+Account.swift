internal import JobKit
internal import Ledger
internal import LocalTime

extension Pause {
  /// Whose it is, since when, until when and why, as one goes on from "paused by".
  func account(_ times: Times) -> String {
    let end = until.map { " until \(times.clock($0))" } ?? ", until somebody resumes it"
    return "\(author) since \(times.clock(since))\(end): \(reason)"
  }
}
