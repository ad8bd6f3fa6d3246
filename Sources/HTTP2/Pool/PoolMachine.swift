/// What the connections to one server decide together, without a thread: which requests wait, which connection takes
/// them, and when one is opened.
struct PoolMachine {
  enum Stage: Equatable {
    /// Nothing was asked for since the beginning, or since a rest.
    case resting
    case working
    case draining(until: Instant)
  }

  let policy: PoolPolicy
  var stage = Stage.resting
  var links: [Int: Link] = [:]
  var line = FIFO<Pending>()

  /// Those that a connection gave back; they go before the rest.
  var returned: [Pending] = []

  /// Before this none of those that wait has waited too long.
  var soonestEnd: Instant?
  var backoff: Backoff
  var counted = PoolFigures()
  private var lastLink = 0
  private var openedAt: Instant?

  init(_ policy: PoolPolicy, seed: UInt64) {
    self.policy = policy
    backoff = Backoff(longest: policy.longestWait, seed: seed)
  }

  var waiting: Int { line.count + returned.count }
  var inFlight: Int { links.values.reduce(0) { $0 + $1.inFlight } }

  /// Takes a request in hand, or says at once why not.
  mutating func enqueue(_ pending: Pending, at now: Instant) -> [PoolAction] {
    if case .draining = stage { return [.end(pending, .notSent(.draining))] }
    guard waiting + inFlight < policy.window else {
      return [.end(pending, .notSent(.windowFull))]
    }
    stage = .working
    let endsFirst = noteEnd(of: pending)
    line.append(pending)
    return findConnection(at: now, endsFirst: endsFirst)
  }

  /// Finds a connection for what has come; when none has room, one still has to end it in time.
  mutating func findConnection(at now: Instant, endsFirst: Bool) -> [PoolAction] {
    let actions = plan(at: now) + wakeHungry()
    guard actions.isEmpty, endsFirst, let first = links.keys.min() else { return actions }
    return [.wake(first)]
  }

  /// Hands requests to a connection that has room for them, to each of several its share.
  mutating func take(_ id: Int, _ room: Room, allowed: Int, at now: Instant) -> Taking {
    guard var link = links[id] else {
      return Taking(retire: (.resting, now))
    }
    var taking = Taking(retire: retirement(of: link, at: now))
    link.allowed = allowed
    if link.state == .open, taking.retire == nil {
      var left = room
      let share = share()
      while taking.requests.count < share, let next = next(for: id, &left) {
        taking.requests.append(next)
      }
      link.inFlight += taking.requests.count
      link.isHungry = left.streams > 0 && (waiting == 0 || taking.requests.count < share)
      taking.hasMore = !link.isHungry && left.streams > 0
    } else if taking.retire != nil {
      (link.state, link.isHungry) = (.leaving, false)
    }
    links[id] = link
    taking.deadline = waiting == 0 ? nil : soonestEnd
    return taking
  }

  /// How many requests one connection takes at once: it writes them together, and then looks for answers.
  private static let lot = 8

  private func share() -> Int {
    let open = links.values.count { $0.state == .open }
    return min(Self.lot, (waiting + max(open, 1) - 1) / max(open, 1))
  }

  private mutating func next(for id: Int, _ room: inout Room) -> Pending? {
    let hasOthers = links.contains { $0.key != id && $0.value.state == .open }
    let index = returned.firstIndex { $0.refusedBy != id || !hasOthers }
    if let index {
      guard room.take(returned[index].request) else { return nil }
      return returned.remove(at: index)
    }
    guard let first = line.first, room.take(first.request) else { return nil }
    return line.popFirst()
  }

  private func retirement(of link: Link, at now: Instant) -> (closing: Closing, until: Instant)? {
    if link.isRenewed { return (.renewed, now + policy.limits.answer) }
    return switch stage {
    case .working: nil
    case .resting: (.resting, now + policy.limits.answer)
    case .draining(let limit): (.drained, limit)
    }
  }

  /// Wakes the hungry connection that has the least to do; all of them when one may not take what another refused.
  mutating func wakeHungry() -> [PoolAction] {
    guard waiting > 0 else { return [] }
    var woken = links.keys.filter { links[$0]?.isHungry == true }.sorted()
    if returned.isEmpty, woken.count > 1 {
      woken =
        woken.min { (links[$0]?.inFlight ?? 0) < (links[$1]?.inFlight ?? 0) }.map { [$0] } ?? []
    }
    for id in woken { links[id]?.isHungry = false }
    return woken.map { .wake($0) }
  }

  /// Opens the next connection that is missing, one at a time and not more often than the policy lets it.
  mutating func plan(at now: Instant) -> [PoolAction] {
    guard stage == .working else { return [] }
    let lasting = links.values.filter { $0.state != .leaving }
    guard lasting.count < policy.connections, !lasting.contains(where: { $0.state == .opening })
    else { return [] }
    lastLink += 1
    links[lastLink] = Link()
    let earliest = openedAt.map { $0 + policy.betweenConnections } ?? now
    let moment = max(now + backoff.wait(), earliest)
    openedAt = moment
    return [.open(lastLink, at: moment)]
  }
}
