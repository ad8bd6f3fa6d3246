/// A part that lost its worker again and again: it probably ends the process that runs it.
struct CrashLoop: Error, CustomStringConvertible {
  private let interruptions: Int

  /// Refuses a part that was interrupted more often than the policies of its new worker allow.
  ///
  /// It is judged here and not where it is rescued: a rescuer of another version would judge by
  /// policies that the part never runs under.
  static func check(_ part: ClaimedPart, under policies: Policies) throws(CrashLoop) {
    guard part.interruptions <= policies.retry.interruptions else {
      throw CrashLoop(interruptions: part.interruptions)
    }
  }

  var description: String {
    "lost its worker \(interruptions) times: does it end the process?"
  }
}
