public import LocalTime
public import Postgres
internal import Migrations
internal import Synchronization

/// Where "now" comes from: the database's clock, or one that is turned by hand.
///
/// One clock judges every tick and every lease, whatever the clocks of the hosts say.
public final class LedgerClock: Sendable {
  private let hands: Mutex<Instant?>

  /// The clock of the database.
  public static let database = LedgerClock(nil)

  private init(_ instant: Instant?) {
    hands = Mutex(instant)
  }

  /// A clock that shows `instant` until it is turned.
  public convenience init(showing instant: Instant) {
    self.init(Optional(instant))
  }

  /// Turns a clock that is turned by hand.
  public func turn(to instant: Instant) {
    hands.withLock { $0 = $0 == nil ? nil : instant }
  }

  /// What a clock that is turned by hand shows; nothing for the clock of the database.
  package var turnedTo: Instant? { hands.withLock(\.self) }

  /// What the clock shows while a statement runs, for that statement to read.
  package var reading: Statement {
    turnedTo.map { "\($0)" } ?? "statement_timestamp()"
  }

  /// What the clock shows where a statement reads it: behind a wait for a lock, when that is over.
  package var readingOnTheSpot: Statement {
    turnedTo.map { "\($0)" } ?? "clock_timestamp()"
  }

  /// What the clock shows.
  public func now(on connection: borrowing Connection) throws(PostgresError) -> Instant {
    if let turnedTo { return turnedTo }
    return try connection.run(keepingPlanOf: "SELECT clock_timestamp() AS now").only["now"]
  }
}
