/// What people are told of.
public enum NoticeEvent: String, Sendable, CaseIterable {
  case failed
  case missed
  case held
  case pausedTooLong = "paused_too_long"
  case late

  /// A job that people know has failed has succeeded.
  case recovered

  /// Somebody tries whether messages arrive.
  case test

  /// Those that the settings choose among.
  public static let settable: [NoticeEvent] = [.failed, .missed, .held, .pausedTooLong, .late]
}
