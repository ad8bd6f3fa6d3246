import JobKit
import LocalTime
import Postgres

extension StreakStore {
  /// Writes what has changed, and counts it.
  func write(
    _ pages: [Page], on connection: borrowing Connection, _ counters: inout Counters
  ) throws {
    let told = pages.filter { !$0.changes.events.isEmpty }
    // The longest are worded while the server is at others: it waits for the first, which is short.
    try connection.run(
      forEach: [repairs(of:), { _ in events(of: told) }, streaks(of:), entries(of:)]
    ) { write in write(pages) }
    let given = try writeAwards(pages.filter { !$0.changes.awards.isEmpty }, on: connection)
    count(told, given: given, in: &counters)
  }

  private func streaks(of all: [Page]) -> Statement? {
    let pages = all.filter { $0.changes.streak != $0.facts.saved }
    guard !pages.isEmpty else { return nil }
    let streaks = pages.map(\.changes.streak)
    return """
      UPDATE learning.streaks AS streak SET state = new.state, length = new.length,
        longest = new.longest, started_on = new.started_on, last_day = new.last_day,
        missed_day = new.missed_day, repairable_until = new.repairable_until,
        check_at = new.check_at, changed_at = new.changed_at
      FROM unnest(\(pages.map(\.facts.learner)), \(streaks.map(\.stateName)), \(streaks.map(\.length)),
        \(streaks.map(\.longest)), \(streaks.map(\.chain?.startedOn)), \(streaks.map(\.chain?.lastDay)),
        \(streaks.map(\.missedDay)), \(streaks.map(\.repairableUntil)), \(streaks.map(\.checkAt)),
        \(streaks.map(\.changedAt)))
        AS new (user_id, state, length, longest, started_on, last_day, missed_day, repairable_until,
          check_at, changed_at)
      WHERE streak.user_id = new.user_id
      """
  }

  private func events(of pages: [Page]) -> Statement? {
    guard !pages.isEmpty else { return nil }
    let events = pages.flatMap(\.changes.events)
    let learners = pages.flatMap { page in page.changes.events.map { _ in page.facts.learner } }
    let numbers = pages.flatMap { page in
      page.changes.events.indices.map { page.facts.events + $0 + 1 }
    }
    return """
      INSERT INTO learning.streak_events
        (user_id, number, event, day, cause, length_before, length_after, at)
      SELECT * FROM unnest(\(learners), \(numbers), \(events.map(\.kind.rawValue)), \(events.map(\.day)),
        \(events.map(\.cause.rawValue)), \(events.map(\.lengthBefore)), \(events.map(\.lengthAfter)),
        \(events.map(\.at)))
      """
  }

  private func repairs(of all: [Page]) -> Statement? {
    let pages = all.filter { !$0.changes.repairs.isEmpty }
    guard !pages.isEmpty else { return nil }
    let learners = pages.flatMap { page in page.changes.repairs.map { _ in page.facts.learner } }
    let repairs = pages.flatMap(\.changes.repairs.values)
    return """
      INSERT INTO learning.streak_repairs (user_id, day, state, offered_at, accepted_at, ended_at)
      SELECT * FROM unnest(\(learners), \(repairs.map(\.day)), \(repairs.map(\.state.rawValue)),
        \(repairs.map(\.offeredAt)), \(repairs.map(\.acceptedAt)), \(repairs.map(\.endedAt)))
      ON CONFLICT (user_id, day) DO UPDATE SET state = excluded.state,
        offered_at = excluded.offered_at, accepted_at = excluded.accepted_at,
        ended_at = excluded.ended_at
      """
  }

  /// Enters tokens, and keeps each balance the sum of its entries: what is not entered is not added.
  private func entries(of all: [Page]) -> Statement? {
    let pages = all.filter { !$0.changes.entries.isEmpty }
    guard !pages.isEmpty else { return nil }
    let learners = pages.flatMap { page in page.changes.entries.map { _ in page.facts.learner } }
    let entries = pages.flatMap(\.changes.entries)
    return """
      WITH entered AS (
        INSERT INTO learning.token_entries (user_id, entry, amount, reason, at)
        SELECT * FROM unnest(\(learners), \(entries.map(\.key)), \(entries.map(\.amount)),
          \(entries.map(\.reason.rawValue)), \(entries.map(\.at)))
        ON CONFLICT DO NOTHING RETURNING user_id, amount
      ), total AS (SELECT user_id, sum(amount) AS amount FROM entered GROUP BY user_id), changed AS (
        UPDATE learning.brain_tokens AS purse SET balance = balance + amount
        FROM total WHERE total.user_id = purse.user_id RETURNING purse.user_id
      )
      INSERT INTO learning.brain_tokens (user_id, balance)
      SELECT user_id, amount FROM total WHERE user_id NOT IN (SELECT user_id FROM changed)
      """
  }

  /// Gives awards; returns how many of each kind nobody had yet.
  private func writeAwards(
    _ pages: [Page], on connection: borrowing Connection
  ) throws(PostgresError) -> [(kind: String, count: Int)] {
    guard !pages.isEmpty else { return [] }
    let learners = pages.flatMap { page in page.changes.awards.map { _ in page.facts.learner } }
    let awards = pages.flatMap(\.changes.awards)
    let rows = try connection.run(
      """
      WITH given AS (
        INSERT INTO learning.awards (user_id, started_on, days, kind, reason, at)
        SELECT * FROM unnest(\(learners), \(awards.map(\.startedOn)), \(awards.map(\.days)),
          \(awards.map(\.kind.rawValue)), \(awards.map(\.reason.rawValue)), \(awards.map(\.at)))
        ON CONFLICT DO NOTHING RETURNING kind, at
      )
      SELECT kind || 's', count(*) FROM given
      WHERE kind <> 'token' AND (\(newsFrom)::timestamptz IS NULL OR at >= \(newsFrom))
      GROUP BY kind ORDER BY kind
      """)
    var given: [(kind: String, count: Int)] = []
    for row in rows { given.append((try row[0], try row[1])) }
    return given
  }

  private func count(
    _ pages: [Page], given: [(kind: String, count: Int)], in counters: inout Counters
  ) {
    for event in pages.lazy.flatMap(\.changes.events) {
      counters.count(isNews(event.at) ? event.kind.counter : "replayed")
    }
    for entry in pages.lazy.flatMap(\.changes.entries) where isNews(entry.at) {
      counters.count("tokens_\(entry.reason.rawValue)")
    }
    for (kind, count) in given { counters.count(kind, count) }
  }

  /// Whether something happened to learners while the job was there, and was not replayed of their history.
  private func isNews(_ instant: Instant) -> Bool { newsFrom.map { instant >= $0 } ?? true }
}

extension StreakEvent.Kind {
  /// What a product person calls it.
  fileprivate var counter: String {
    switch self {
    case .reset: "broken"
    default: rawValue
    }
  }
}

extension Streak {
  fileprivate var stateName: String {
    switch standing {
    case .none: "none"
    case .kept: "kept"
    case .repairable: "repairable"
    }
  }

  fileprivate var repairableUntil: CivilDate? {
    guard case .repairable(_, _, let until) = standing else { return nil }
    return until
  }
}
