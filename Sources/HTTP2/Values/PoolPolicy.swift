/// What a pool may do.
public struct PoolPolicy: Sendable, Equatable {
  /// How many connections it keeps.
  public var connections = 1

  /// How many requests it has in hand at most, sent or waiting: what a crash can leave uncertain.
  public var window = 1000

  /// How often a request that the server refused is tried again.
  public var retries = 3

  /// How long a request waits for a stream.
  public var queueing = Duration.seconds(30)

  /// How long requests may take to end once the program does.
  public var draining = Duration.seconds(30)

  /// The least time from the beginning of one connection to that of the next.
  public var betweenConnections = Duration.seconds(1)

  /// The longest wait after failures.
  public var longestWait = Duration.seconds(60)

  /// Whether a new token is shown to the server in one request first, on each connection.
  public var provesTokens = true

  public var limits = ConnectionLimits()

  public init() {}
}
