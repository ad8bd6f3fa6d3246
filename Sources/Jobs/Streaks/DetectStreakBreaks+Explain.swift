internal import Config
import JobKit
public import LocalTime
public import Postgres

extension DetectStreakBreaks: LearnerExplainer {
  /// Tells the learner's chain, why it broke or not, what can be repaired until when, and the tokens.
  public func explain(
    _ learner: Int, on day: CivilDate?, at now: Instant, in zones: ZoneDatabase,
    _ connection: borrowing Connection
  ) throws -> LearnerExplanation {
    let names = try connection.run(
      "SELECT zone FROM learning.users WHERE user_id = \(learner)")
    guard let name: String = try names.first?[0] else { throw UnknownLearner(learner) }
    var known = KnownZones(of: zones)
    guard let zone = try known.zone(named: name) else {
      return LearnerExplanation(
        lines: ["the zone '\(name)' is one that nobody knows: no streak until it is corrected"],
        facts: ["zone": .string(name), "quarantined": "unknown_zone"])
    }
    guard let streak = try StreakRow.seen([learner], on: connection).first else {
      return LearnerExplanation(
        lines: ["no streak yet: no run has seen a study of the learner"], facts: ["state": "none"])
    }
    let question = StreakQuestion(streak, reaching: .everything, at: now)
    let row = try connection.run(StreakBook.query([question])).only
    let facts = try StreakFacts(row, of: question, in: zone, knowing: &known)
    let story = StreakStory(
      facts: facts, changes: try StreakFold.changes(facts, by: rules),
      events: try Self.events(of: learner, on: day, connection),
      entries: try Self.entries(of: learner, connection), rules: rules, day: day)
    return LearnerExplanation(lines: story.lines, facts: story.json)
  }

  /// The latest events, or those about a day, oldest first.
  private static func events(
    of learner: Int, on day: CivilDate?, _ connection: borrowing Connection
  ) throws -> [StreakEvent] {
    try connection.run(
      """
      SELECT event, day, cause, length_before, length_after, at FROM learning.streak_events
      WHERE user_id = \(learner) AND (day = \(day) OR \(day) IS NULL) ORDER BY number DESC LIMIT 5
      """
    ).reversed().map { row in
      StreakEvent(
        kind: try row[0], day: try row[1], cause: try row[2], lengthBefore: try row[3],
        lengthAfter: try row[4], at: try row[5])
    }
  }

  /// The latest token entries, oldest first.
  private static func entries(
    of learner: Int, _ connection: borrowing Connection
  ) throws -> [TokenEntry] {
    try connection.run(
      """
      SELECT entry, reason, at FROM learning.token_entries WHERE user_id = \(learner)
      ORDER BY at DESC, entry LIMIT 5
      """
    ).reversed().map { row in
      TokenEntry(key: try row[0], reason: try row[1], at: try row[2])
    }
  }
}

extension StreakEvent.Kind: PostgresValue {}
extension StreakEvent.Cause: PostgresValue {}
extension TokenEntry.Reason: PostgresValue {}
