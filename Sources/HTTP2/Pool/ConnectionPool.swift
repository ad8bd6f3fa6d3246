internal import Synchronization

/// The connections to one server: takes requests, keeps as many connections as its policy says, replaces those that
/// the server wants to end, and tells of each request once what became of it.
///
/// A request that the server certainly did not take is tried again on another connection, a few times; one that may
/// have been taken never is.
public final class ConnectionPool: Sendable {
  public let origin: Origin
  public let policy: PoolPolicy
  let clock: @Sendable () -> Instant
  let observer: (any RequestObserver)?
  private let shared: Mutex<Shared>

  private struct Shared {
    var machine: PoolMachine
    var wakeUps: [Int: WakeUp] = [:]
    var awaitingEnd: [@Sendable () -> Void] = []
  }

  /// A pool that opens its first connection for its first request.
  public init(
    to origin: Origin, _ policy: PoolPolicy = PoolPolicy(),
    observer: (any RequestObserver)? = nil, seed: UInt64 = .random(in: 0 ... .max),
    clock: @escaping @Sendable () -> Instant = { .now }
  ) {
    (self.origin, self.policy, self.observer, self.clock) = (origin, policy, observer, clock)
    shared = Mutex(Shared(machine: PoolMachine(policy, seed: seed)))
  }

  /// Sends a request when a connection has room for it; `completion` is called once, on another thread or at once.
  public func send(_ request: Request, then completion: @escaping @Sendable (End) -> Void) {
    let pending = Pending(request: request, since: clock(), completion: completion)
    perform { $0.enqueue(pending, at: pending.since) }
  }

  /// Sends a request, and returns what became of it.
  public func send(_ request: Request) async -> End {
    await withCheckedContinuation { continuation in
      send(request) { continuation.resume(returning: $0) }
    }
  }

  /// Closes the connections with a GOAWAY, unless something is in hand; the next request opens new ones.
  public func rest() {
    perform { $0.rest() }
  }

  /// Lets every connection end with its answers; what comes next goes by new ones.
  public func renew() {
    let now = clock()
    perform { $0.renew(at: now) }
  }

  /// How many GOAWAYs were complaints, and the word of the last.
  public var complaints: (count: Int, word: String)? {
    shared.withLock { shared in
      shared.machine.counted.lastComplaint.map { (shared.machine.counted.complaints, $0) }
    }
  }

  /// Takes nothing more; what waits is not sent, and what is out may have its answer for as long as the policy says.
  ///
  /// `completion` is called when every request has ended and every connection is closed.
  public func drain(then completion: @escaping @Sendable () -> Void) {
    shared.withLock { $0.awaitingEnd.append(completion) }
    let limit = clock() + policy.draining
    perform { $0.drain(until: limit) }
  }

  public var figures: PoolFigures {
    shared.withLock { $0.machine.figures }
  }

  /// Lets every connection look at the clock: for a clock that is turned by hand.
  public func lookAtClock() {
    let wakeUps = shared.withLock { Array($0.wakeUps.values) }
    for wakeUp in wakeUps { wakeUp.signal() }
  }
}

/// What its connections tell it, each on a thread of its own.
extension ConnectionPool {
  func take(_ id: Int, _ room: Room, allowed: Int, at now: Instant) -> Taking {
    let (late, taking) = shared.withLock { shared in
      (shared.machine.expire(at: now), shared.machine.take(id, room, allowed: allowed, at: now))
    }
    for action in late { perform(action) }
    return taking
  }

  func opened(_ id: Int) {
    let now = clock()
    perform { $0.opened(id, at: now) }
  }

  func proved(_ id: Int) {
    shared.withLock { $0.machine.proved(id) }
  }

  func measured(_ ping: Duration) {
    shared.withLock { $0.machine.counted.ping = ping }
  }

  /// Of these the journal has heard already.
  func ended(_ ends: [(Pending, End)], on id: Int) {
    // First there is room again, so that who hears of the end may send the next.
    shared.withLock { $0.machine.ended(ends.count, on: id) }
    for (pending, end) in ends { pending.completion(end) }
  }

  func gaveBack(_ pending: Pending, on id: Int) {
    // Before another connection can have it.
    observer?.returns(pending.request.id)
    let now = clock()
    perform { $0.gaveBack(pending, id, at: now) }
  }

  func left(_ id: Int, _ closing: Closing, reason: String) {
    let now = clock()
    perform { $0.left(id, closing, reason: reason, at: now) }
  }

  func closed(_ id: Int, _ closing: Closing) {
    let now = clock()
    perform {
      $0.closed(id, closing, at: now)
    } forgetting: {
      id
    }
  }

  func failed(_ id: Int, _ failure: ConnectFailure) {
    let now = clock()
    perform {
      $0.failed(id, failure, at: now)
    } forgetting: {
      id
    }
  }

  func wants(_ id: Int) -> Bool {
    shared.withLock { $0.machine.wants(id) }
  }
}

/// What it does, never while it holds its lock.
extension ConnectionPool {
  private func perform(
    _ decide: (inout PoolMachine) -> [PoolAction], forgetting gone: () -> Int? = { nil }
  ) {
    let actions = shared.withLock { shared in
      if let id = gone() { shared.wakeUps[id] = nil }
      return decide(&shared.machine)
    }
    for action in actions { perform(action) }
  }

  private func perform(_ action: PoolAction) {
    switch action {
    case .open(let id, let moment): open(id, at: moment)
    case .wake(let id): shared.withLock { $0.wakeUps[id] }?.signal()
    case .end(let pending, let end): finish(pending, end)
    case .drained:
      let waiting = shared.withLock { shared in
        defer { shared.awaitingEnd = [] }
        return shared.awaitingEnd
      }
      for completion in waiting { completion() }
    }
  }

  private func open(_ id: Int, at moment: Instant) {
    guard let wakeUp = WakeUp() else { return couldNotBegin(id, "no descriptor is left") }
    shared.withLock { $0.wakeUps[id] = wakeUp }
    let isStarted = startThread { [self] in
      ConnectionThread(id, of: self, waking: wakeUp).run(at: moment)
    }
    if !isStarted { couldNotBegin(id, "no thread is left") }
  }

  private func couldNotBegin(_ id: Int, _ why: String) {
    perform {
      $0.couldNotBegin(id, .unreachable(why))
    } forgetting: {
      id
    }
  }

  private func finish(_ pending: Pending, _ end: End) {
    observer?.ended(pending.request.id, with: end)
    pending.completion(end)
  }
}
