internal import Config
internal import JobKit
internal import Jobs
internal import Ledger
internal import LocalTime
internal import Postgres
internal import Push

/// What the ledger knows of providers: how pushes of the last day ended, and why others wait.
struct ProvidersInLedger {
  private var providers: [Provider] = []

  private struct Provider {
    let name: String
    let delivered: Int
    let refused: Int
    let uncertain: Int

    /// How the latest tries of those ended that are due and have not left.
    let waiting: [(answer: String, pushes: Int)]
  }

  /// Asks the ledger; changes nothing.
  static func find(_ session: borrowing LedgerSession) throws -> ProvidersInLedger {
    let activity = try Ledger.activity(
      from: session.now - .seconds(86_400), to: session.now, on: session.connection)
    let job = DeliverPushes(through: NoTransport(), saying: .builtIn).definition.name
    let counted = activity[job]?.counters ?? Counters()
    let waiting = try waiting(at: session.now, on: session.connection)
    var found = ProvidersInLedger()
    for name in PushProvider.all.map(\.rawValue) {
      found.providers.append(
        Provider(
          name: name, delivered: counted["\(name)/sent"],
          refused: counted["\(name)/refused"] + counted["\(name)/failed"],
          uncertain: counted["\(name)/uncertain"], waiting: waiting[name] ?? []))
    }
    return found
  }

  /// Read from the index of what has not come to an end: never all pushes.
  private static func waiting(
    at now: Instant, on connection: borrowing Connection
  ) throws -> [String: [(answer: String, pushes: Int)]] {
    let rows = try connection.run(
      """
      SELECT provider, answer, count(*) FROM learning.notifications
      WHERE state = 'planned' AND sent_at IS NULL AND ended_at IS NULL AND due_at <= \(now)
        AND provider IS NOT NULL AND answer IS NOT NULL
      GROUP BY 1, 2 ORDER BY 3 DESC, 2 LIMIT 100
      """)
    var waiting: [String: [(answer: String, pushes: Int)]] = [:]
    for row in rows { waiting[try row[0], default: []].append((try row[1], try row[2])) }
    return waiting
  }
}

extension ProvidersInLedger {
  var text: String {
    var table = Table("provider", "delivered", "refused", "uncertain", "breaker")
    for provider in providers {
      table.add(
        provider.name, provider.delivered.grouped, provider.refused.grouped,
        provider.uncertain.grouped, "unknown")
    }
    let lines = providers.flatMap { provider in
      provider.waiting.map { answer, pushes in
        "\(provider.name): \(pushes.grouped) waiting after '\(answer)'"
      }
    }
    return table.text(in: Style(isColoured: false)) + "\n\n"
      + (lines + [
        "as the ledger counted the last 24 hours; connections, rate, breaker and token are known to a"
          + " daemon alone"
      ]).map { "\($0)\n" }.joined()
  }

  var json: JSON {
    [
      "hours": 24,
      "providers": .array(
        providers.map { provider in
          [
            "provider": .string(provider.name), "delivered": .integer(provider.delivered),
            "refused": .integer(provider.refused), "uncertain": .integer(provider.uncertain),
            "breaker": "unknown",
            "waiting": .array(
              provider.waiting.map {
                ["answer": .string($0.answer), "pushes": .integer($0.pushes)]
              }),
          ]
        }),
    ]
  }
}
