/// What a pool hears of its connections.
extension PoolMachine {
  /// The server's SETTINGS are there.
  mutating func opened(_ id: Int, at now: Instant) -> [PoolAction] {
    links[id]?.state = .open
    counted.opened += 1
    counted.failuresInARow = 0
    return plan(at: now)
  }

  /// A request was answered: the server works.
  mutating func proved(_ id: Int) {
    links[id]?.hasAnswered = true
    backoff.succeed()
  }

  mutating func ended(_ count: Int, on id: Int) {
    links[id]?.inFlight -= count
  }

  /// The server did not take a request: another connection may try it.
  mutating func gaveBack(_ pending: Pending, _ id: Int, at now: Instant) -> [PoolAction] {
    links[id]?.inFlight -= 1
    var pending = pending
    pending.refusals += 1
    pending.refusedBy = id
    if case .draining = stage { return [.end(pending, .notSent(.draining))] }
    guard pending.refusals <= policy.retries else { return [.end(pending, .notSent(.refused))] }
    // Connections that are being renewed may still hold it when nothing else is wanted.
    stage = .working
    let endsFirst = noteEnd(of: pending)
    returned.append(pending)
    return findConnection(at: now, endsFirst: endsFirst)
  }

  /// The connection takes nothing more: its replacement is opened beside it.
  mutating func left(_ id: Int, _ closing: Closing, reason: String, at now: Instant) -> [PoolAction]
  {
    links[id]?.state = .leaving
    links[id]?.isHungry = false
    if case .goneAway(let code) = closing, links[id]?.goAway?.text.isEmpty ?? true {
      links[id]?.goAway = GoAway(code: code, text: reason)
    }
    return plan(at: now)
  }

  /// A connection that worked is closed.
  mutating func closed(_ id: Int, _ closing: Closing, at now: Instant) -> [PoolAction] {
    guard let link = links.removeValue(forKey: id) else { return [] }
    counted.closed[closing.reason, default: 0] += 1
    if let goAway = link.goAway { count(goAway) }
    // One that never had an answer was of no use: the next one waits longer.
    if !link.hasAnswered, ![.resting, .renewed, .drained].contains(closing) {
      backoff.fail()
    }
    return plan(at: now) + wakeHungry() + drained()
  }

  /// Counts by the server's word, unless it makes up too many.
  private mutating func count(_ goAway: GoAway) {
    counted.lastGoAway = goAway.text.isEmpty ? goAway.word : goAway.text
    if goAway.isComplaint {
      counted.complaints += 1
      counted.lastComplaint = goAway.word
    }
    let isNew = counted.goAways[goAway.word] == nil
    let word = isNew && counted.goAways.count >= GoAway.mostWords ? "other" : goAway.word
    counted.goAways[word, default: 0] += 1
  }

  /// A connection could not be made: what waits is not sent, unless another is open.
  mutating func failed(_ id: Int, _ failure: ConnectFailure, at now: Instant) -> [PoolAction] {
    links[id] = nil
    guard failure != .stopped else { return plan(at: now) + drained() }
    return count(failure) + plan(at: now) + drained()
  }

  /// The system has nothing left for another connection: the next request, or the end of another one, asks it again.
  ///
  /// To plan the next one here would ask it at once, and again, within one call.
  mutating func couldNotBegin(_ id: Int, _ failure: ConnectFailure) -> [PoolAction] {
    links[id] = nil
    if links.isEmpty, stage == .working { stage = .resting }
    return count(failure) + drained()
  }

  /// What waits is not sent, unless a connection is open.
  private mutating func count(_ failure: ConnectFailure) -> [PoolAction] {
    counted.failed[failure.reason, default: 0] += 1
    counted.failuresInARow += 1
    counted.lastFailure = failure
    backoff.fail()
    return links.values.contains { $0.state == .open } ? [] : flush(.unconnected(failure))
  }

  /// Whether a connection that is being made is still wanted.
  func wants(_ id: Int) -> Bool {
    stage == .working && links[id]?.state == .opening
  }

  /// Ends what has waited too long: no connection gets it any more, not even after the process stood still.
  mutating func expire(at now: Instant) -> [PoolAction] {
    guard let end = soonestEnd, end <= now else { return [] }
    var late: [Pending] = []
    let policy = policy
    var rest: [Pending] = []
    let keep = { (pending: Pending) in
      let isLate = pending.end(by: policy) <= now
      if isLate { late.append(pending) } else { rest.append(pending) }
      return !isLate
    }
    returned = returned.filter(keep)
    line.keep(where: keep)
    soonestEnd = rest.map { $0.end(by: policy) }.min()
    return late.map { .end($0, .notSent(.noStream)) }
  }

  /// Notes until when a request waits that comes to the others; returns whether it ends before all of them.
  mutating func noteEnd(of pending: Pending) -> Bool {
    let end = pending.end(by: policy)
    if waiting > 0, let soonestEnd, soonestEnd <= end { return false }
    soonestEnd = end
    return true
  }

  /// Closes what is open and has nothing to do, until the next request.
  mutating func rest() -> [PoolAction] {
    guard stage == .working, waiting + inFlight == 0 else { return [] }
    stage = .resting
    return links.keys.sorted().map { .wake($0) }
  }

  /// Lets every open connection end with its answers; another is opened when something waits, or with the next
  /// request.
  mutating func renew(at now: Instant) -> [PoolAction] {
    guard stage == .working else { return [] }
    let open = links.keys.filter { links[$0]?.state == .open }.sorted()
    for id in open {
      links[id]?.isRenewed = true
      links[id]?.state = .leaving
      links[id]?.isHungry = false
    }
    if waiting == 0 { stage = .resting }
    return open.map { .wake($0) } + plan(at: now)
  }

  /// Takes nothing more, and lets what is out end until then.
  mutating func drain(until limit: Instant) -> [PoolAction] {
    stage = .draining(until: limit)
    return flush(.draining) + links.keys.sorted().map { .wake($0) } + drained()
  }

  private mutating func flush(_ reason: NotSent) -> [PoolAction] {
    var actions = returned.map { PoolAction.end($0, .notSent(reason)) }
    returned = []
    while let pending = line.popFirst() { actions.append(.end(pending, .notSent(reason))) }
    return actions
  }

  private func drained() -> [PoolAction] {
    guard case .draining = stage, links.isEmpty else { return [] }
    return [.drained]
  }

  /// What there is now, and what has been counted.
  var figures: PoolFigures {
    var figures = counted
    figures.opening = links.values.count { $0.state == .opening }
    figures.open = links.values.count { $0.state == .open }
    figures.leaving = links.values.count { $0.state == .leaving }
    (figures.inFlight, figures.waiting) = (inFlight, waiting)
    figures.free = max(0, policy.window - waiting - inFlight)
    figures.streamsAllowed = links.values.filter { $0.state == .open }.reduce(0) { $0 + $1.allowed }
    return figures
  }
}
