internal import HTTP2
internal import Push
internal import Runner

extension PushSnapshot {
  /// Adds it to the figures of a daemon; where pushes go to no provider there is nothing to add.
  func add(to store: inout MetricStore) {
    for (place, figures) in providers { figures.add(to: &store, of: place.word) }
    if let window, !providers.isEmpty { store.set(.pushWindow, to: Double(window)) }
    guard let journal else { return }
    store.set(.pushJournalPlaces, to: Double(journal.places))
    store.set(.pushJournalUsed, to: Double(journal.used))
    store.set(.pushJournalLost, to: Double(journal.lost))
  }
}

extension ProviderFigures {
  fileprivate func add(to store: inout MetricStore, of place: String) {
    store.set(.pushInFlight, place, to: Double(inFlight))
    store.set(.pushWaiting, place, to: Double(waiting))
    store.set(.pushStreams, place, to: Double(allowed))
    store.set(.pushRate, place, to: rate)
    connections?.add(to: &store, of: place)
    if let breaker {
      store.set(.pushBreaker, place, to: breaker.state.number)
      store.set(.pushBreakerOpen, place, to: (breaker.lasting ?? .zero) / .seconds(1))
    }
    if let token {
      store.set(.pushTokensMinted, place, to: Double(token.minted))
      if let age = token.age { store.set(.pushTokenAge, place, to: age / .seconds(1)) }
    }
    answers.add(to: &store, of: place)
  }
}

extension PoolFigures {
  fileprivate func add(to store: inout MetricStore, of place: String) {
    store.set(.pushConnections, place, "opening", to: Double(opening))
    store.set(.pushConnections, place, "open", to: Double(open))
    store.set(.pushConnections, place, "leaving", to: Double(leaving))
    store.set(.pushConnectionsOpened, place, to: Double(opened))
    for (why, count) in closed {
      store.set(.pushConnectionsClosed, place, why, to: Double(count))
    }
    for (why, count) in failed {
      store.set(.pushConnectionsFailed, place, why, to: Double(count))
    }
    for (word, count) in goAways {
      // Several words may be `other`.
      store.add(Double(count), to: .pushGoAways, place, GoAwayWord.known(word))
    }
    if let ping { store.set(.pushPing, place, to: ping / .seconds(1)) }
  }
}

extension AnswerTally {
  fileprivate func add(to store: inout MetricStore, of place: String) {
    // A rate needs a zero to begin at.
    store.add(0, to: .pushRequests, place, Outcome.sent.rawValue, AnswerWord.accepted.text)
    store.add(0, to: .pushRequests, place, Outcome.refused.rawValue, AnswerWord.other.text)
    for (key, count) in counts {
      store.set(
        .pushRequests, place, key.outcome.rawValue, key.word.text, to: Double(count))
    }
    for (word, count) in invalidated {
      store.set(.deviceTokensInvalidated, place, word.text, to: Double(count))
    }
    store.set(.pushSeconds, place, counts: seconds.counts, sum: seconds.sum)
    store.set(.pushLateness, place, counts: lateness.counts, sum: lateness.sum)
  }
}

extension Breaker.Figures.State {
  fileprivate var number: Double {
    switch self {
    case .closed: 0
    case .halfOpen: 1
    case .open: 2
    }
  }
}
