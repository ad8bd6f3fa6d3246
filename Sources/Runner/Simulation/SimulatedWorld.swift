public import LocalTime
public import Postgres

/// What goes on around the jobs of a simulation: whatever others write into their database.
public protocol SimulatedWorld {
  /// Lets everything happen that does up to `now`, before any job looks.
  mutating func goOn(until now: Instant, on connection: borrowing Connection) throws
}
