/// What people are told of.
public enum NoticeEvent: String, Sendable, CaseIterable {
  case failed
  case missed
  case held

  /// A job lacks a table or a right.
  case blocked
  case pausedTooLong = "paused_too_long"
  case late

  /// No daemon was there for a while: ticks of any job were missed. It is told where `missed` is.
  case outage

  /// A job that people know has failed has succeeded.
  case recovered

  /// Somebody tries whether messages arrive.
  case test

  /// Those that the settings choose among.
  public static let settable: [NoticeEvent] = [
    .failed, .missed, .held, .blocked, .pausedTooLong, .late,
  ]
}
