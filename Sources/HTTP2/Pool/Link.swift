/// What a pool knows of one of its connections.
struct Link: Sendable, Equatable {
  enum State: Sendable, Equatable {
    /// It is being made, or waits for its moment.
    case opening
    case open

    /// It takes nothing more, and ends when what it has out has ended.
    case leaving
  }

  var state = State.opening

  /// How many requests it has out, and how many the server allows.
  var inFlight = 0
  var allowed = 0

  /// Whether it sleeps although it has room: a new request has to wake it.
  var isHungry = false

  /// Whether it has had an answer.
  var hasAnswered = false

  /// Whether it is to end although the server does not want it to.
  var isRenewed = false

  /// Why the server wants it to end.
  var goAway: GoAway?
}

/// What the thread of a connection gets from its pool.
struct Taking {
  var requests: [Pending] = []

  /// Whether there are more that it has room for.
  var hasMore = false

  /// That it is to take nothing more, and until when it may live.
  var retire: (closing: Closing, until: Instant)?

  /// When the first of those that wait has waited too long.
  var deadline: Instant?
}
