internal import HTTP2
internal import JobKit
internal import LocalTime
internal import Push

extension PushSnapshot {
  /// The snapshot for people: a column for each provider, as figures are many, and below it what there is to say.
  var text: String {
    guard !providers.isEmpty else {
      return
        "this daemon brings pushes to no provider: 'push.transport' is \"log\", or none is enabled\n"
    }
    var table = Table(["provider"] + providers.map { Table.Column($0.place.word) })
    let columns = providers.map(\.figures.cells)
    for (row, name) in ProviderFigures.names.enumerated() {
      table.add([name] + columns.map { $0[row] })
    }
    let lines = providers.flatMap { $0.figures.lines(of: $0.place) } + remarks
    return table.text(in: Style(isColoured: false)) + "\n" + lines.map { "\n\($0)" }.joined() + "\n"
  }

  private var remarks: [String] {
    let window = window.map {
      "each part of a run has \($0.counted("push", "pushes")) in hand at most"
    }
    let journal =
      journal.map { journal in
        "the journal holds \(journal.used) of \(journal.places)"
          + (journal.lost == 0 ? "" : ", and has forgotten \(journal.lost) too early")
      } ?? "there is no journal: after a kill every push under way is uncertain"
    return [window, journal].compactMap(\.self)
  }
}

extension ProviderFigures {
  fileprivate static let names = [
    "connections", "streams", "in flight", "waiting", "rate", "breaker", "token", "sent", "refused",
    "uncertain", "not sent",
  ]

  /// What stands beside each of these names.
  fileprivate var cells: [String] {
    [
      connections.map { "\($0.open)" } ?? "-", "\(allowed)", "\(inFlight)", "\(waiting)",
      "\(Int(rate.rounded()))/s", breaker?.state.rawValue ?? "-",
      token.map { $0.age.map(Self.written) ?? "none" } ?? "-", answers[.sent].grouped,
      answers[.refused].grouped, answers[.uncertain].grouped, answers[.notSent].grouped,
    ]
  }

  fileprivate func lines(of place: PushPlace) -> [String] {
    var lines: [String] = []
    if let breaker, let reason = breaker.reason {
      let lasting = breaker.lasting.map { " for \(Self.written($0))" } ?? ""
      let wait = breaker.wait.map { ", and one push is tried in \(Self.written($0))" } ?? ""
      lines.append("nothing has left\(lasting): \(reason)\(wait)")
    }
    let reasons = answers.sorted.filter { $0.key.word != .accepted }
      .map { "\($0.key.outcome.rawValue) \($0.key.word) \($0.value.grouped)" }
    if !reasons.isEmpty { lines.append(reasons.joined(separator: ", ")) }
    if let median = answers.seconds.quantile(0.5), let most = answers.seconds.quantile(0.99) {
      lines.append("half of the answers came within \(median) s, 99 % within \(most) s")
    }
    return (lines + (connections?.lines ?? [])).map { "\(place.word): \($0)" }
  }

  /// In whole seconds, as in `12m30s`.
  fileprivate static func written(_ duration: Duration) -> String {
    Duration.seconds(duration.components.seconds).written
  }
}

extension PoolFigures {
  fileprivate var lines: [String] {
    let counts = [("closed", closed), ("not made", failed), ("GOAWAY", goAways)]
      .filter { !$0.1.isEmpty }
      .map { name, counts in
        let words = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "\(name): \(words.joined(separator: ", "))"
      }
    let failure = lastFailure.flatMap { failuresInARow > 0 ? "the latest connection: \($0)" : nil }
    return (counts.isEmpty ? [] : ["connections \(counts.joined(separator: "; "))"])
      + [failure].compactMap(\.self)
  }
}
