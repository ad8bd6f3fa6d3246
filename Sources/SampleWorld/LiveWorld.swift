internal import JobKit
public import LocalTime
public import Postgres
public import Runner

/// A world that was laid down in the schema `demo`, as it goes on: each row reaches the app's tables at its
/// moment, pushes are tapped, and repairs accepted.
///
/// It is played by a simulation and by nothing else: no daemon knows of it.
public struct LiveWorld: SimulatedWorld {
  private let seed: Int

  /// Up to where it has been played.
  private var past: Instant

  /// Goes on with the world in a database where it was left.
  public static func open(on connection: borrowing Connection) throws -> LiveWorld {
    let isThere: Bool = try connection.run(
      "SELECT to_regclass('demo.world') IS NOT NULL AS is_there"
    ).only["is_there"]
    guard isThere else { throw Absent() }
    let row = try connection.run("SELECT seed, played_until FROM demo.world").only
    return LiveWorld(seed: try row["seed"], past: try row["played_until"])
  }

  /// Nobody has laid a world down.
  public struct Absent: Error, CustomStringConvertible {
    public var description: String {
      "there is no world here that could go on: 'worker demo data --live-days N' lays one down"
    }
  }

  public mutating func goOn(until now: Instant, on connection: borrowing Connection) throws {
    guard now > past else { return }
    let statements =
      [users(until: now)]
      + AppTable.allCases.filter { $0 != .users }.map { arrivals(of: $0, until: now) }
      + [openings, taps(until: now), acceptances(until: now), repairs(until: now)]
      + ["UPDATE demo.world SET played_until = \(now)"]
    try connection.pipeline(statements.map(\.keepingPlan))
    past = now
  }
}

extension LiveWorld {
  private func arrivals(of table: AppTable, until now: Instant) -> Statement {
    let name: Statement = "\(identifier: table.rawValue)"
    let columns = table.columns.map { "\(identifier: $0)" as Statement }.joined(by: ", ")
    let arrival: Statement = "\(identifier: table.arrival)"
    return """
      INSERT INTO learning.\(name) (\(columns))
      SELECT \(columns) FROM demo.\(name) WHERE \(arrival) > \(past) AND \(arrival) <= \(now)
      """
  }

  /// Whoever is new, and whoever has changed: as of the last change, should there be two at once.
  private func users(until now: Instant) -> Statement {
    let columns = AppTable.users.columns
    let names = columns.map { "\(identifier: $0)" as Statement }.joined(by: ", ")
    let changes = columns.dropFirst().map {
      "\(identifier: $0) = excluded.\(identifier: $0)" as Statement
    }
    return """
      INSERT INTO learning.users (\(names))
      SELECT DISTINCT ON (user_id) \(names) FROM demo.users
      WHERE changed_at > \(past) AND changed_at <= \(now) ORDER BY user_id, changed_at DESC
      ON CONFLICT (user_id) DO UPDATE SET \(changes.joined(by: ", "))
      """
  }
}

/// What learners do about what the jobs have done.
extension LiveWorld {
  /// How far back a job may have written since the world last went on.
  private var justBefore: Instant { past - .seconds(3600) }

  /// A quarter of the pushes is tapped: most within minutes, some hours later.
  private var openings: Statement {
    """
    INSERT INTO demo.openings (user_id, local_day, opens_at)
    SELECT user_id, local_day, sent_at + make_interval(secs => 20 + 36000 * power(hash / 100 % 1000 / 1000.0, 4))
    FROM (
      SELECT user_id, local_day, sent_at,
        hashint8extended(user_id, \(seed) + (local_day - '2000-01-01')) & 9223372036854775807 AS hash
      FROM learning.notifications
      WHERE state IN ('sent', 'uncertain') AND sent_at >= \(justBefore)
    ) AS sent WHERE hash % 100 < 25
    ON CONFLICT (user_id, local_day) DO NOTHING
    """
  }

  private func taps(until now: Instant) -> Statement {
    """
    INSERT INTO learning.notification_events (user_id, local_day, event, at)
    SELECT user_id, local_day, 'push_opened', opens_at FROM demo.openings
    WHERE opens_at > \(past) AND opens_at <= \(now)
    ON CONFLICT (user_id, local_day, event) DO NOTHING
    """
  }

  /// Half of what is offered is accepted, within a day or so.
  private func acceptances(until now: Instant) -> Statement {
    """
    INSERT INTO demo.repairs (user_id, day, accepts_at)
    SELECT user_id, day, offered_at + make_interval(secs => 60 + hash / 100 % 100000)
    FROM (
      SELECT user_id, day, offered_at,
        hashint8extended(user_id, \(seed) - (day - '2000-01-01')) & 9223372036854775807 AS hash
      FROM learning.streak_repairs WHERE state = 'offered' AND offered_at >= \(justBefore)
    ) AS offered WHERE hash % 100 < 55
    ON CONFLICT (user_id, day) DO NOTHING
    """
  }

  private func repairs(until now: Instant) -> Statement {
    """
    UPDATE learning.streak_repairs AS repair SET state = 'accepted', accepted_at = accepts_at
    FROM demo.repairs AS decided
    WHERE accepts_at > \(past) AND accepts_at <= \(now) AND repair.state = 'offered'
      AND (repair.user_id, repair.day) = (decided.user_id, decided.day)
    """
  }
}
