import JobKit
import LocalTime
import Postgres

extension StreakFacts {
  /// Reads the row that `StreakStore.query` gives for a question about a learner who lives in `zone`.
  init(
    _ row: Row, of question: StreakQuestion, in zone: Zone, knowing zones: inout KnownZones
  ) throws {
    learner = question.streak.learner
    self.zone = zone
    move = try Self.move(row, &zones)
    autoRepairSince = try row[2]
    upTo = question.upTo
    isQuiet = question.isQuiet
    saved = question.streak.saved
    balance = try row[3]
    events = try row[4]
    entries = Set(try row.list(5, of: String.self))
    repairs = try Self.repairs(row)
    studiesFrom = question.studiesFrom
    newsFrom = question.newsFrom
    // What was read of days before is of days that the streak has counted.
    let first = question.isQuiet ? question.studiesFrom : nil
    studies = Self.studies(on: try row.list(11), receivedAt: try row.list(12))
      .filter { study in first.map { study.day >= $0 } ?? true }
    reached = studiesFrom == nil ? try Self.reached(row) : nil
  }

  /// The latest move, unless nobody knows the zone that it was from.
  private static func move(_ row: Row, _ zones: inout KnownZones) throws -> Move? {
    let (name, movedAt): (String?, Instant?) = (try row[16], try row[17])
    guard let name, let movedAt, let zone = try zones.zone(named: name) else { return nil }
    let (days, received): ([CivilDate], [Instant]) = (try row.list(11), try row.list(12))
    let ended: [Instant] = try row.list(18)
    let studies = days.indices.map { index in
      Session(day: days[index], endedAt: ended[index], receivedAt: received[index])
    }
    return Move(from: zone, at: movedAt, among: studies)
  }

  /// The first study of each day, in the order in which they were received.
  private static func studies(on days: [CivilDate], receivedAt instants: [Instant]) -> [Study] {
    var seen: Set<CivilDate> = []
    return zip(days, instants).map { Study(day: $0, receivedAt: $1) }
      .sorted { ($0.receivedAt, $0.day) < ($1.receivedAt, $1.day) }
      .filter { seen.insert($0.day).inserted }
  }

  private static func reached(_ row: Row) throws -> [Reached] {
    let (starts, days): ([CivilDate], [Int]) = (try row.list(13), try row.list(14))
    let kinds: [String] = try row.list(15)
    return starts.indices.compactMap { index in
      AwardKind(rawValue: kinds[index]).map {
        Reached(startedOn: starts[index], days: days[index], kind: $0)
      }
    }
  }

  private static func repairs(_ row: Row) throws -> [StreakRepair] {
    let (days, states): ([CivilDate], [StreakRepair.State]) = (try row.list(6), try row.list(7))
    let (offered, accepted): ([Instant], [Instant?]) = (try row.list(8), try row.list(9))
    let ended: [Instant?] = try row.list(10)
    return days.indices.map { index in
      StreakRepair(
        day: days[index], state: states[index], offeredAt: offered[index],
        acceptedAt: accepted[index], endedAt: ended[index])
    }
  }
}

extension StreakRepair.State: PostgresValue {}
