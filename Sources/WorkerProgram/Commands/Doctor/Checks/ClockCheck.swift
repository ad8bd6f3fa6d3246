internal import JobKit
internal import LocalTime
internal import Postgres

/// How far the clock of this host is from the database's.
struct ClockCheck: DatabaseCheck {
  let name = "clock"

  /// What the host shows; a test may turn it.
  var clock: @Sendable () -> Instant = SystemClock.now

  func check(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
    var best: (skew: Duration, doubt: Duration)?
    for _ in 1...3 {
      let reading = try Self.read(clock, on: connection)
      if best.map({ reading.doubt < $0.doubt }) ?? true { best = reading }
    }
    guard let (skew, doubt) = best else { return [] }
    let distance = RelativeTime.text(skew < .zero ? .zero - skew : skew)
    let text =
      "this host's clock is \(distance) \(skew < .zero ? "behind" : "ahead of") the database's,"
      + " give or take \(RelativeTime.text(doubt))"
    guard skew > Self.most + doubt || skew < .zero - Self.most - doubt else { return [.ok(text)] }
    return [
      .warning(
        text,
        why: "ticks and leases go by the database's clock, the lines of the log by this host's",
        do: "let both follow the time of the network: systemd-timesyncd or chrony")
    ]
  }

  /// The difference, and half of the round trip in which it was read.
  private static func read(
    _ clock: () -> Instant, on connection: borrowing Connection
  ) throws(PostgresError) -> (skew: Duration, doubt: Duration) {
    let before = clock()
    let there = try LedgerClock.database.now(on: connection)
    let half = (clock() - before) / 2
    return (before + half - there, half < .zero ? .zero : half)
  }

  private static let most = Duration.seconds(2)
}
