/// How long a connection waits for what, and how much it takes.
public struct ConnectionLimits: Sendable, Equatable {
  /// From the first address asked for to the server's SETTINGS.
  public var connecting = Duration.seconds(10)

  /// Between the dials of two addresses of one server.
  public var betweenDials = Duration.milliseconds(250)

  /// From a request's leaving to its answer.
  public var answer = Duration.seconds(30)

  /// Without a word of the server before it is asked whether it is there.
  public var idle = Duration.seconds(60)

  /// From that question to its answer.
  public var pong = Duration.seconds(10)

  /// How many requests without an answer in time, one after the other, let a connection be doubted.
  public var timeoutsBeforePing = 2

  /// How many streams there are at most, whatever the server allows.
  public var streams = 1000

  /// How many bytes of an answer's body and of its headers are kept.
  public var body = 16 * 1024
  public var headers = 16 * 1024

  public init() {}
}
