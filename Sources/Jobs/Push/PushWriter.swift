import JobKit
import LocalTime
import Postgres

/// Writes what was decided of many learners at once, and nothing that is so already.
struct PushWriter {
  private let moment: Instant

  /// Decisions on days of which nothing was written, and on those of which something was.
  private var (first, anew): ([Decided], [Decided]) = ([], [])
  private var looks: [(user: Int, at: Instant, wasKnown: Bool)] = []

  init(at moment: Instant) {
    self.moment = moment
  }

  mutating func add(_ agenda: PushAgenda, of facts: PushFacts) {
    let written = Set(facts.rows.map(\.day))
    for decision in agenda.decisions {
      let decided = Decided(decision: decision, facts: facts)
      if written.contains(decision.plan.day) { anew.append(decided) } else { first.append(decided) }
    }
    looks.append((facts.user, agenda.lookAt, facts.lookAt != nil))
  }

  /// Writes it all; returns what became of each push that was not so before.
  func save(on connection: borrowing Connection) throws(PostgresError) -> [Written] {
    let insertions =
      (first.isEmpty ? [] : [insertion(of: first)])
      + (anew.isEmpty ? [] : [insertion(of: anew, where: Self.differs)])
    let results = try connection.pipeline(agenda + insertions)
    var written: [Written] = []
    for row in results.suffix(insertions.count).joined() {
      written.append(Written(state: try row[0], reason: try row[1], isRevised: try row[2]))
    }
    return written
  }

  struct Written {
    let state: PushState
    let reason: String?
    let isRevised: Bool
  }

  private struct Decided {
    let decision: PushDecision
    let facts: PushFacts
  }

  /// To update what is known to be there costs less than to find it out by a conflict.
  private var agenda: [Statement] {
    let (known, strange) = (looks.filter(\.wasKnown), looks.filter { !$0.wasKnown })
    return (known.isEmpty ? [] : [update(known.map(\.user), known.map(\.at))])
      + (strange.isEmpty ? [] : [insertion(of: strange.map(\.user), strange.map(\.at))])
  }

  private func update(_ users: [Int], _ looks: [Instant]) -> Statement {
    """
    UPDATE learning.push_agenda AS known SET look_at = agenda.look_at, looked_at = \(moment)
    FROM unnest(\(users), \(looks)) AS agenda (user_id, look_at)
    WHERE known.user_id = agenda.user_id AND \(IDRange(users).mayHold("known.user_id"))
      AND known.looked_at <= \(moment)
      AND (known.look_at, known.looked_at) IS DISTINCT FROM (agenda.look_at, \(moment))
    """
  }

  private func insertion(of users: [Int], _ looks: [Instant]) -> Statement {
    """
    INSERT INTO learning.push_agenda AS known (user_id, look_at, looked_at)
    SELECT user_id, look_at, \(moment) FROM unnest(\(users), \(looks)) AS agenda (user_id, look_at)
    ON CONFLICT (user_id) DO UPDATE SET look_at = excluded.look_at, looked_at = excluded.looked_at
    WHERE known.looked_at <= excluded.looked_at
      AND (known.look_at, known.looked_at) IS DISTINCT FROM (excluded.look_at, excluded.looked_at)
    """
  }
}

extension PushWriter {
  /// What a row has that may be decided anew.
  private static let decided: Statement = """
    state, reason, kind, zone, window_from, window_to, due_at, template, variant, locale, pattern_code,
      streak_days, evidence_at, ended_at
    """

  private static func columns(of row: Statement) -> Statement {
    [
      "state", "reason", "kind", "zone", "window_from", "window_to", "due_at", "template",
      "variant",
      "locale", "pattern_code", "streak_days", "evidence_at",
    ].map { "\(row).\(verbatim: $0)" }.joined(by: ", ")
  }

  /// What is being sent at this moment, or was, is let alone.
  private func insertion(of decided: [Decided], where isWritten: Statement = "true") -> Statement {
    """
    INSERT INTO learning.notifications AS known (user_id, local_day, \(Self.decided), planned_at)
    SELECT user_id, local_day, \(Self.decided), \(moment) FROM (\(values(of: decided))) AS value
    WHERE \(isWritten)
    ON CONFLICT (user_id, local_day) DO UPDATE SET (\(Self.decided), planned_at) =
      (\(Self.columns(of: "excluded")), excluded.ended_at, excluded.planned_at)
    WHERE (\(Self.isOpen)) AND known.sent_at IS NULL
      AND known.planned_at <= excluded.planned_at
      AND (\(Self.columns(of: "known"))) IS DISTINCT FROM (\(Self.columns(of: "excluded")))
    RETURNING state, reason, xmax <> 0
    """
  }

  /// Whether a row may become what was decided: one that has expired, be it since it was read, only for a later window.
  private static let isOpen: Statement = """
    known.state IN ('planned', 'suppressed') OR known.state = 'expired' AND excluded.state = 'planned'
      AND (known.window_to >= excluded.window_to) IS NOT TRUE
    """

  /// Whether there is no row that says the same: an insert would lock that one, and whoever sends pushes in
  /// this minute passes over what is locked.
  private static let differs: Statement = """
    (SELECT (\(columns(of: "known"))) IS DISTINCT FROM (\(columns(of: "value")))
      FROM learning.notifications AS known
      WHERE known.user_id = value.user_id AND known.local_day = value.local_day) IS NOT FALSE
    """

  private func values(of decided: [Decided]) -> Statement {
    let made = decided.map(\.decision)
    let (plans, messages) = (made.map(\.plan), made.map(\.message))
    return """
      SELECT *, CASE WHEN state <> 'planned' THEN \(moment)::timestamptz END AS ended_at
      FROM unnest(\(made.map(\.user)), \(plans.map(\.day)), \(made.map(\.state)), \(made.map(\.reason)),
        \(plans.map(\.kind)), \(decided.map(\.facts.zone)), \(plans.map(\.window?.from)),
        \(plans.map(\.window?.to)), \(plans.map(\.minute)), \(messages.map(\.template)),
        \(messages.map(\.variant)), \(decided.map(\.facts.locale)), \(messages.map(\.pattern)),
        \(messages.map(\.streakDays)), \(plans.map(\.evidence)))
      AS value (user_id, local_day, state, reason, kind, zone, window_from, window_to, due_at, template,
        variant, locale, pattern_code, streak_days, evidence_at)
      """
  }
}
