internal import SampleWorld
internal import JobKit
internal import LocalTime
internal import Postgres
internal import Runner

/// A world that tells of each hour that has passed in it.
struct Timeline: SimulatedWorld {
  private var world: any SimulatedWorld
  private let zone: Zone
  private let console: Console

  /// Up to where it has been told.
  private var told: Instant

  init(of world: any SimulatedWorld, from start: Instant, in zone: Zone, on console: Console) {
    (self.world, told, self.zone, self.console) = (world, start, zone, console)
  }

  mutating func goOn(until now: Instant, on connection: borrowing Connection) throws {
    while now >= told + Self.hour {
      try Self.tell(of: told, until: told + Self.hour, in: zone, on: connection, console: console)
      told = told + Self.hour
    }
    try world.goOn(until: now, on: connection)
  }

  /// Tells of the last hour of a range, which is over when nothing moves the world any more.
  static func tellEnd(
    of start: Instant, to end: Instant, in zone: Zone, on connection: borrowing Connection,
    console: Console
  ) throws {
    let hours = max(0, (end.secondsSince1970 - start.secondsSince1970 - 1) / 3600)
    try tell(
      of: start.advanced(bySeconds: hours * 3600), until: end, in: zone, on: connection,
      console: console)
  }

  private static let hour: Duration = .seconds(3600)

  /// One line: what learners did, and what was done for them.
  private static func tell(
    of start: Instant, until end: Instant, in zone: Zone, on connection: borrowing Connection,
    console: Console
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
    console.tell(
      "\(start.text(in: zone))  " + (facts.isEmpty ? "nothing" : facts.joined(separator: " · ")))
  }
}
