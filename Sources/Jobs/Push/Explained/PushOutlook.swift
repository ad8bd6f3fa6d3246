import LocalTime
import Postgres

/// What has become, or becomes, of a learner's push of a day.
enum PushOutlook: Equatable {
  /// It was sent.
  case decided(PushState, at: Instant, PushTemplate?)

  /// It is still to go out.
  case toCome(at: Instant, PushTemplate?)

  /// It would have gone out at an instant, and will not.
  case tooLate(TooLate, at: Instant, PushTemplate?)

  /// A rule keeps it.
  case notSent(because: String)

  /// Why it is too late for a push.
  enum TooLate: String {
    /// Its window is over: what the table says, or says after the next run.
    case windowPassed = "window_passed"

    /// The day is over, and no run has decided anything.
    case notDecided = "not_decided"
  }
}

/// The row of a learner's push of one day, as far as a forecast tells of it.
struct WrittenPush: Equatable {
  let state: PushState
  let reason: String?
  let template: PushTemplate?

  /// When it is due, or was sent, or was decided when it has no minute.
  let at: Instant
  let windowTo: Instant?

  /// What is written of a day for `users`, by learner.
  static func read(
    of users: [Int], on day: CivilDate, _ connection: borrowing Connection
  ) throws -> [Int: WrittenPush] {
    let rows = try connection.run(
      """
      SELECT user_id, state, reason, template,
        coalesce(sent_at, CASE state WHEN 'sending' THEN sending_at END, due_at, planned_at), window_to
      FROM learning.notifications
      WHERE \(IDRange(users).holds("user_id")) AND local_day = \(day)
      """)
    var written: [Int: WrittenPush] = [:]
    for row in rows {
      let template: String? = try row[3]
      written[try row[0]] = WrittenPush(
        state: try row[1], reason: try row[2],
        template: template.flatMap { PushTemplate(rawValue: $0) }, at: try row[4],
        windowTo: try row[5])
    }
    return written
  }

  /// What it comes to when nothing new changes it.
  func outlook(at now: Instant) -> PushOutlook {
    switch state {
    case .sending, .sent, .opened, .ignored, .uncertain: .decided(state, at: at, template)
    case .failed, .suppressed: .notSent(because: reason ?? state.rawValue)
    case .expired: .tooLate(.windowPassed, at: at, template)
    case .planned where windowTo.map { $0 <= now } ?? true:
      .tooLate(.windowPassed, at: at, template)
    case .planned: .toCome(at: max(at, now), template)
    }
  }
}

extension PushPlanner {
  /// What becomes of a day's push, by its row if there is one, and by what a run would decide.
  func outlook(on day: CivilDate, with written: WrittenPush?) -> PushOutlook {
    if let written {
      let isKnown = facts.rows.contains { $0.day == day }
      let revision = isKnown ? due(on: day) : nil
      return revision.map(outlook) ?? written.outlook(at: now)
    }
    let plan = plan(for: day)
    return willDecide(on: day) ? outlook(of: decision(on: plan)) : missed(plan)
  }

  private func outlook(of decision: PushDecision) -> PushOutlook {
    let (plan, template) = (decision.plan, decision.message.template)
    let minute = plan.minute ?? plan.wanted.to
    return switch decision.verdict {
    case .planned: .toCome(at: max(minute, now), template)
    case .expired: .tooLate(.windowPassed, at: minute, template)
    case .suppressed(let reason): .notSent(because: reason.rawValue)
    }
  }

  /// What a run in time would have come to, on a day that is over and of which none has decided.
  private func missed(_ plan: PushPlan) -> PushOutlook {
    let inTime = PushPlanner(for: facts, in: zone, at: plan.dayStart, by: rules)
    let outlook = inTime.outlook(of: inTime.decision(on: plan))
    return switch outlook {
    case .toCome(let minute, let template), .tooLate(_, let minute, let template):
      .tooLate(.notDecided, at: minute, template)
    case .decided, .notSent: outlook
    }
  }
}
