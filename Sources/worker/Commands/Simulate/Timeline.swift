internal import Demo
internal import JobKit
internal import LocalTime
internal import Postgres

/// A world that tells of each hour that has passed in it.
struct Timeline: SimulatedWorld {
  private var world: any SimulatedWorld
  private let console: Console

  /// Up to where it has been told.
  private var told: Instant

  init(of world: any SimulatedWorld, from start: Instant, on console: Console) {
    (self.world, told, self.console) = (world, start, console)
  }

  mutating func goOn(until now: Instant, on connection: borrowing Connection) throws {
    while now >= told + Self.hour {
      try tell(of: told, until: told + Self.hour, on: connection)
      told = told + Self.hour
    }
    try world.goOn(until: now, on: connection)
  }

  private static let hour: Duration = .seconds(3600)

  /// One line: what learners did, and what was done for them.
  private func tell(
    of start: Instant, until end: Instant, on connection: borrowing Connection
  ) throws {
    let row = try connection.run(
      """
      SELECT
        (SELECT count(*) FROM learning.sessions WHERE server_received_at >= \(start) AND server_received_at < \(end)),
        (SELECT count(*) FROM learning.notifications WHERE sent_at >= \(start) AND sent_at < \(end)),
        (SELECT count(*) FROM learning.notification_events WHERE event = 'push_opened' AND at >= \(start) AND at < \(end)),
        (SELECT count(*) FROM learning.streak_events WHERE event = 'extended' AND at >= \(start) AND at < \(end)),
        (SELECT count(*) FROM learning.streak_events WHERE event = 'reset' AND at >= \(start) AND at < \(end)),
        (SELECT count(*) FROM learning.streak_events WHERE event IN ('repaired', 'restored') AND at >= \(start) AND at < \(end)),
        (SELECT count(*) FROM learning.reward_entries WHERE at >= \(start) AND at < \(end))
      """
    ).only
    let names = [
      "sessions", "pushes sent", "opened", "streaks longer", "broken", "saved", "rewards settled",
    ]
    let facts = try names.indices.compactMap { index -> String? in
      let count: Int = try row[index]
      return count > 0 ? "\(count) \(names[index])" : nil
    }
    console.tell("\(start)  " + (facts.isEmpty ? "nothing" : facts.joined(separator: " · ")))
  }
}
