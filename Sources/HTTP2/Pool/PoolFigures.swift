/// What a pool has done and has in hand, for metrics and for whoever decides how much to send.
public struct PoolFigures: Sendable, Equatable {
  /// The connections that there are now.
  public internal(set) var opening = 0
  public internal(set) var open = 0
  public internal(set) var leaving = 0

  /// How many have been opened, and how many closed by why; the words are those of `Closing`.
  public internal(set) var opened = 0
  public internal(set) var closed: [String: Int] = [:]

  /// How many could not be made by why; the words are those of `ConnectFailure`.
  public internal(set) var failed: [String: Int] = [:]

  /// How many failed in a row, without an answer in between, and the last of their reasons.
  public internal(set) var failuresInARow = 0
  public internal(set) var lastFailure: ConnectFailure?

  /// How often the server said GOAWAY by its word for why, and all that it said the last time.
  public internal(set) var goAways: [String: Int] = [:]
  public internal(set) var lastGoAway: String?

  /// How many of those were complaints, no planned end, and the word of the last of them.
  public internal(set) var complaints = 0
  public internal(set) var lastComplaint: String?

  /// How many requests are out, how many wait, and how many the window has room for.
  public internal(set) var inFlight = 0
  public internal(set) var waiting = 0
  public internal(set) var free = 0

  /// How many streams the servers allow at once on the connections that are open.
  public internal(set) var streamsAllowed = 0

  /// How long the last ping took.
  public internal(set) var ping: Duration?

  public init() {}
}
