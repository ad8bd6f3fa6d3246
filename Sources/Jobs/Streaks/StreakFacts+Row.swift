import JobKit
import LocalTime
import Postgres

extension StreakFacts {
  /// Reads the row that `StreakBook.query` gives for a learner.
  init(_ row: Row, in zone: Zone, at moment: Instant) throws {
    let since: Instant? = try row[4]
    learner = try row[0]
    self.zone = zone
    autoRepairSince = try row[2]
    upTo = try row[3]
    saved = try Streak(row)
    balance = try row[14]
    events = try row[15]
    entries = Set(try row.list(16, of: String.self))
    reached = since == nil ? try Self.reached(row) : nil
    repairs = try Self.repairs(row)
    studies = Self.studies(on: try row.list(22), receivedAt: try row.list(23))
    // Wherever on Earth a session ended, its day is at most one off the day in UTC.
    studiesFrom = since.map { Zone.utc.localDay(of: $0).advanced(by: 2) }
  }

  /// The first study of each day, in the order in which they were received.
  private static func studies(on days: [CivilDate], receivedAt instants: [Instant]) -> [Study] {
    var seen: Set<CivilDate> = []
    return zip(days, instants).map { Study(day: $0, receivedAt: $1) }
      .sorted { ($0.receivedAt, $0.day) < ($1.receivedAt, $1.day) }
      .filter { seen.insert($0.day).inserted }
  }

  private static func reached(_ row: Row) throws -> [Reached] {
    let (starts, days): ([CivilDate], [Int]) = (try row.list(24), try row.list(25))
    let kinds: [String] = try row.list(26)
    return starts.indices.compactMap { index in
      AwardKind(rawValue: kinds[index]).map {
        Reached(startedOn: starts[index], days: days[index], kind: $0)
      }
    }
  }

  private static func repairs(_ row: Row) throws -> [StreakRepair] {
    let (days, states): ([CivilDate], [StreakRepair.State]) = (try row.list(17), try row.list(18))
    let (offered, accepted): ([Instant], [Instant?]) = (try row.list(19), try row.list(20))
    let ended: [Instant?] = try row.list(21)
    return days.indices.map { index in
      StreakRepair(
        day: days[index], state: states[index], offeredAt: offered[index],
        acceptedAt: accepted[index], endedAt: ended[index])
    }
  }
}

extension Streak {
  /// The streak as it was saved; nothing when the row has only just been made.
  fileprivate init?(_ row: Row) throws {
    longest = try row[5]
    guard longest > 0 else { return nil }
    checkAt = try row[12]
    changedAt = try row[13]
    let (first, last): (CivilDate?, CivilDate?) = (try row[7], try row[8])
    let (missed, until): (CivilDate?, CivilDate?) = (try row[10], try row[11])
    guard let first, let last else { return }
    let chain = Chain(startedOn: first, lastDay: last, length: try row[9])
    standing = .kept(chain)
    if let missed, let until { standing = .repairable(chain, missed: missed, until: until) }
  }
}

extension StreakRepair.State: PostgresValue {}
