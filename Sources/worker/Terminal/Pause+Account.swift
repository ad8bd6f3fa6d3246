internal import JobKit
internal import LocalTime

extension Pause {
  /// Whose it is, since when, until when and why, as one goes on from "paused by".
  var account: String {
    let end = until.map { " until \($0)" } ?? ", until somebody resumes it"
    return "\(author) since \(since)\(end): \(reason)"
  }
}
