internal import Config
internal import HTTP2
internal import JobKit
internal import LocalTime
internal import Push

extension PushSnapshot {
  /// The snapshot for programs, taken at `now`.
  func json(at now: LocalTime.Instant) -> JSON {
    [
      "as_of": .string(now.description), "window": window.map { .integer($0) } ?? nil,
      "providers": .array(providers.map { $0.figures.json(of: $0.place, at: now) }),
      "journal": journal.map { journal in
        [
          "places": .integer(journal.places), "used": .integer(journal.used),
          "lost": .integer(journal.lost),
        ]
      } ?? nil,
    ]
  }
}

extension ProviderFigures {
  fileprivate func json(of place: PushPlace, at now: LocalTime.Instant) -> JSON {
    [
      "provider": .string(place.word), "in_flight": .integer(inFlight),
      "waiting": .integer(waiting), "allowed": .integer(allowed), "rate": .number(rate),
      "connections": connections?.json ?? nil,
      "breaker": breaker.map { breaker in
        [
          "state": .string(breaker.state.rawValue), "reason": JSON(breaker.reason),
          "since": JSON(breaker.lasting.map { (now - $0).description }),
          "tries_again_in_seconds": breaker.wait.json,
        ]
      } ?? nil,
      "token": token.map { token in
        ["age_seconds": token.age.json, "minted": .integer(token.minted)]
      } ?? nil,
      "answered_at": JSON(sinceAnswer.map { (now - $0).description }),
      "answers": answers.json, "seconds": answers.seconds.json, "late": answers.lateness.json,
      "invalidated": .object(
        answers.invalidated.sorted { $0.key.text < $1.key.text }
          .map { JSON.Member($0.key.text, .integer($0.value)) }),
    ]
  }
}

extension PoolFigures {
  fileprivate var json: JSON {
    [
      "opening": .integer(opening), "open": .integer(open), "leaving": .integer(leaving),
      "opened": .integer(opened), "closed": Self.json(closed), "failed": Self.json(failed),
      "goaway": Self.json(goAways), "last_goaway": JSON(lastGoAway),
      "last_failure": JSON(lastFailure?.description), "ping_seconds": ping.json,
    ]
  }

  private static func json(_ counts: [String: Int]) -> JSON {
    .object(counts.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .integer($0.value)) })
  }
}

extension AnswerTally {
  /// Every count with what it counts.
  fileprivate var json: JSON {
    .array(
      sorted.map { key, count in
        [
          "outcome": .string(key.outcome.rawValue), "reason": .string(key.word.text),
          "count": .integer(count),
        ]
      })
  }

  /// By outcome, and the most frequent reason of each first.
  var sorted: [(key: Key, value: Int)] {
    Outcome.allCases.flatMap { outcome in
      counts.filter { $0.key.outcome == outcome }
        .sorted { ($1.value, $0.key.word.text) < ($0.value, $1.key.word.text) }
        .map { ($0.key, $0.value) }
    }
  }
}

extension Distribution {
  fileprivate var json: JSON {
    [
      "count": .integer(count), "sum": .number(sum), "bounds": .array(bounds.map { .number($0) }),
      "counts": .array(counts.map { .integer($0) }),
    ]
  }
}

extension Duration? {
  fileprivate var json: JSON { map { .number($0 / .seconds(1)) } ?? nil }
}
