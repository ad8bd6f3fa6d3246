import JobKit
import LocalTime
import Postgres
import Push

/// What the journal of the transport is told, and what it tells of pushes whose process is dead.
extension DeliverPushes {
  /// Notes that this part will claim pushes, before it claims the first.
  func attend(_ context: borrowing JobContext) {
    guard let fence = context.fence else { return }
    transport.journal?.attend(PushOwner(fence).claim)
  }

  /// Forgets pushes of which the database has just learnt what became of them.
  func forget(_ report: DeliveryReport?) {
    guard let report, !report.isEmpty else { return }
    transport.journal?.forget(report.ids, of: report.owner.claim)
  }

  /// Forgets a part that has nothing in its hands any more; from then on the journal says nothing of its pushes.
  ///
  /// Not while there is something to write down of it: what is missing of a part that is known has never left.
  func forgetPart(_ owner: PushOwner) {
    guard !unwritten.holds(owner) else { return }
    transport.journal?.forget(owner.claim)
  }

  /// Forgets reports that are written down, and their parts.
  func forget(_ reports: [DeliveryReport]) {
    for report in reports {
      forget(report)
      forgetPart(report.owner)
    }
  }

  /// Writes what the journals of dead processes know of pushes that these were sending; returns how many came to what.
  ///
  /// What never left, or was not taken, may be sent again; of what left without an answer they know no more than
  /// anybody.
  func settleRemembered(
    _ share: Statement, before moment: Instant, on connection: borrowing Connection
  ) throws -> Counters {
    let rows = try connection.run(
      """
      SELECT user_id, local_day, owner, epoch FROM learning.notifications AS push
      WHERE state = 'sending' AND \(PushClaim.areOpen) AND due_at <= \(moment)
        AND \(share) AND \(PushOwner.isGone)
      """)
    guard !rows.isEmpty else { return Counters() }
    // Looked for after the rows: who owned them is dead by then, and no more is written down.
    let remains = transport.remains
    var remembered = Remembered()
    for row in rows {
      let (user, day): (Int, CivilDate) = (try row[0], try row[1])
      let (owner, epoch): (String, Int) = (try row[2], try row[3])
      let (push, claim) = (DuePush.id(of: user, on: day), "\(owner)#\(epoch)")
      let fates = remains.map { $0.fate(of: push, claimedBy: claim) }
      remembered.add(user, day, owner, epoch, Self.worst(of: fates))
    }
    return try remembered.write(on: connection)
  }

  /// What most journals would keep from being sent again: a database that was restored gives the numbers of runs out
  /// again, so that an old journal may know another push by the same name.
  private static func worst(of fates: [JournalRemains.Fate]) -> JournalRemains.Fate {
    [.left, .accepted, .refused, .neverLeft].first(where: fates.contains) ?? .unknown
  }
}

extension PushClaim.ClaimedPush {
  /// The message, as a journal tells it from one that others claim, and with the end of the time in which it may leave.
  func message(of owner: PushOwner) -> PushMessage {
    var message = message
    message.claim = owner.claim
    message.leavesBefore = until
    return message
  }
}

/// What journals know of pushes, row by row.
private struct Remembered {
  private var users: [Int] = []
  private var days: [CivilDate] = []
  private var owners: [String] = []
  private var epochs: [Int] = []
  private var states: [String] = []

  mutating func add(
    _ user: Int, _ day: CivilDate, _ owner: String, _ epoch: Int, _ fate: JournalRemains.Fate
  ) {
    guard fate != .left, fate != .unknown else { return }
    users.append(user)
    days.append(day)
    owners.append(owner)
    epochs.append(epoch)
    states.append(fate == .accepted ? "sent" : "planned")
  }

  func write(on connection: borrowing Connection) throws -> Counters {
    guard !users.isEmpty else { return Counters() }
    let rows = try connection.run(
      """
      WITH told AS (
        UPDATE learning.notifications AS push
        SET state = fate.state, owner = NULL,
          reason = CASE WHEN fate.state = 'planned' THEN \(DeliveryDecision.Reason.notSent) END,
          sent_at = CASE WHEN fate.state = 'sent' THEN push.sending_at END
        FROM unnest(\(users), \(days), \(owners), \(epochs), \(states))
          AS fate (user_id, local_day, owner, epoch, state)
        WHERE push.user_id = fate.user_id AND push.local_day = fate.local_day
          AND push.state = 'sending' AND push.owner = fate.owner AND push.epoch = fate.epoch
        RETURNING push.user_id, push.local_day, push.state, push.sent_at, push.provider
      ), event AS (
        INSERT INTO learning.notification_events (user_id, local_day, event, at, detail)
        SELECT user_id, local_day, 'push_sent', sent_at, provider FROM told WHERE state = 'sent'
        ON CONFLICT DO NOTHING
      )
      SELECT state, provider, count(*) FROM told GROUP BY 1, 2 ORDER BY 1, 2
      """)
    var counts = Counters()
    for row in rows {
      let state: String = try row[0]
      counts.count(state == "planned" ? "not sent" : "sent", because: "journal", try row[2])
      guard state == "sent", let provider = try row[1, as: String?.self] else { continue }
      counts.count(provider, because: "sent", try row[2])
    }
    return counts
  }
}
