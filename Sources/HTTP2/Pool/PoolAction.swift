/// What a pool does next.
enum PoolAction {
  /// Begins a connection with that number at a moment.
  case open(Int, at: Instant)

  /// Lets the thread of a connection look up.
  case wake(Int)
  case end(Pending, End)

  /// Nothing is in hand and no connection is left, as somebody wanted.
  case drained
}
