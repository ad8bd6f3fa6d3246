public import JobKit
public import LocalTime
public import Postgres
import Push

extension DeliverPushes: Reporter {
  /// How many pushes went out, and how many were tapped, by the kind of push.
  ///
  /// Taps are read from their index, each with its push: never all pushes.
  public func report(
    on period: Range<Instant>, counted: Counters, at now: Instant,
    _ connection: borrowing Connection
  ) throws -> LearnerReport {
    let rows = try connection.run(
      """
      SELECT push.kind, count(*) AS taps
      FROM learning.notification_events AS tap
      JOIN learning.notifications AS push USING (user_id, local_day)
      WHERE tap.event = 'push_opened' AND tap.at >= \(period.lowerBound)
        AND tap.at < \(period.upperBound)
      GROUP BY push.kind
      """)
    var taps: [String: Int] = [:]
    for row in rows { taps[try row["kind"]] = try row["taps"] }
    func opened(_ kind: PushKind) -> Int { taps[kind.rawValue] ?? 0 }
    func sent(_ kind: PushKind) -> Int { counted["sent/\(kind.rawValue)"] }
    return LearnerReport(
      "Pushes",
      [
        .init(counted["sent"], "sent"),
        .init(taps.values.reduce(0, +), "opened", of: "sent"),
        .init(sent(.reminder), "reminders sent", of: "sent"),
        .init(opened(.reminder), "reminders opened", of: "reminders sent"),
        .init(sent(.followUp), "follow-ups sent", of: "sent"),
        .init(opened(.followUp), "follow-ups opened", of: "follow-ups sent"),
        .init(sent(.first), "first pushes sent", of: "sent"),
        .init(opened(.first), "first pushes opened", of: "first pushes sent"),
        .init(counted["failed"] + counted["uncertain"], "not sure to have arrived"),
      ] + PushProvider.all.flatMap { Self.numbers(of: $0, in: counted) })
  }

  /// What one provider did with the pushes that it was asked to take.
  private static func numbers(
    of provider: PushProvider, in counted: Counters
  ) -> [LearnerReport.Number] {
    let (name, all) = (provider.rawValue, "handed to \(provider.rawValue)")
    return [
      .init(counted[name], all),
      .init(counted["\(name)/sent"], "delivered by \(name)", of: all),
      .init(
        counted["\(name)/refused"] + counted["\(name)/failed"], "refused by \(name)", of: all),
      .init(counted["\(name)/uncertain"], "uncertain at \(name)", of: all),
    ]
  }
}
