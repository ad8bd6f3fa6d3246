/// A moment of the clock that never goes back; tests turn one of their own.
public typealias Instant = ContinuousClock.Instant
