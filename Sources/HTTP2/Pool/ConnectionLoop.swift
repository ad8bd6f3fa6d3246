/// The life of a connection that stands: takes requests, writes, sleeps, reads, and tells its machine of it.
final class ConnectionLoop {
  private let id: Int
  private let pool: ConnectionPool
  private let waiting: Waiting
  private let tls: TLSConnection
  private let codec: FrameCodec
  private var machine: ConnectionMachine

  /// The requests that it has, by their streams.
  private var inHand: [Int32: Pending] = [:]

  private var output = Outgoing()
  private var input = [UInt8](repeating: 0, count: 16 * 1024)

  /// The ends that its pool has not heard of: it hears of all of a turn at once, and is not asked for its lock for each.
  private var ends: [(Pending, End)] = []

  private var hasOpened = false
  private var hasEnded = false
  private var poolDeadline: Instant?

  /// When this thread was last seen to go on, right before its machine looked at the clock; by one that no test turns.
  private var wentOnAt = ContinuousClock.now

  init(
    _ id: Int, of pool: ConnectionPool, _ waiting: Waiting, _ tls: TLSConnection,
    _ codec: FrameCodec, _ machine: ConnectionMachine
  ) {
    (self.id, self.pool, self.waiting) = (id, pool, waiting)
    (self.tls, self.codec, self.machine) = (tls, codec, machine)
  }

  /// Serves until the connection has ended.
  func run() {
    while !hasEnded {
      let hasMore = take()
      write()
      guard !hasEnded else { return }
      tellEnds()
      sleep(isShort: hasMore)
      read()
      let stoodStill = hasStoodStill()
      hear(.tick)
      if stoodStill { hear(.lost(.stoodStill)) }
      tellEnds()
    }
  }

  /// Whether the process was frozen while there was something in hand: of that nothing more may leave, as by now it may
  /// be somebody's night, and others hold it for lost.
  private func hasStoodStill() -> Bool {
    let now = ContinuousClock.now
    defer { wentOnAt = now }
    return !inHand.isEmpty && now - wentOnAt > .seconds(5)
  }

  private func tellEnds() {
    guard !ends.isEmpty else { return }
    let told = ends
    ends.removeAll(keepingCapacity: true)
    pool.ended(told, on: id)
  }

  /// Takes what the pool has for it, when all that it had is written; whether there is more.
  private func take() -> Bool {
    // Before the pool looks at its clock: what it gives may leave until 5 s later.
    let taken = ContinuousClock.now
    let now = pool.clock()
    let taking = pool.take(id, room(), allowed: machine.allowed, at: now)
    poolDeadline = taking.deadline
    refill()
    for pending in taking.requests { begin(pending, taken: taken, at: now) }
    hearCodec()
    if let (closing, limit) = taking.retire { hear(.retire(closing, at: limit)) }
    return taking.hasMore
  }

  private func room() -> Room {
    var room = output.isWritten ? machine.room : .none
    let kept = machine.halfSent.keys.reduce(0) { $0 + (inHand[$1]?.request.body.count ?? 0) }
    codec.narrow(&room, keeping: kept)
    return room
  }

  private func begin(_ pending: Pending, taken: ContinuousClock.Instant, at now: Instant) {
    let request = pending.request
    guard let stream = output.add(request, to: pool.origin, by: codec, taken: taken) else {
      return end(pending, .notSent(.unusable))
    }
    machine.begin(stream, token: request.token, at: now)
    inHand[stream] = pending
    if codec.waits(stream) { machine.halfSent[stream] = pending.end(by: pool.policy) }
  }

  private func refill() {
    output.refill(by: codec, looked: machine.halfSent.isEmpty ? nil : wentOnAt)
  }

  private func sleep(isShort: Bool) {
    let now = pool.clock()
    // With something in hand it looks up every second, so that longer than that it was not asleep.
    let next = inHand.isEmpty ? nil : now + .seconds(1)
    let moment = [machine.deadline, poolDeadline, next].compactMap(\.self).min()
    let isWriting = !output.isWritten || tls.wantsToWrite
    let interest = Waiting.Interest(descriptor: tls.socket, reads: true, writes: isWriting)
    _ = waiting.sleep(until: isShort ? now : moment, for: [interest])
  }

  private func hear(_ event: ConnectionEvent) {
    perform(machine.hear(event, at: pool.clock()))
  }

  private func hearCodec() {
    let now = pool.clock()
    for event in codec.takeEvents() { perform(machine.hear(event, at: now)) }
  }
}

extension ConnectionLoop {
  /// Writes until there is nothing left or the socket is full.
  private func write() {
    while !hasEnded {
      if output.isWritten {
        refill()
        hearCodec()
        for stream in machine.halfSent.keys where !codec.waits(stream) {
          hear(.bodyLeft(stream: stream))
        }
      }
      guard !output.isWritten else { break }
      guard mayLeave() else { return loseUnwritten() }
      switch writeSome() {
      case .done: continue
      case .waits: return
      case .ended: return loseAfterReading(.ended)
      case .failed(let why): return loseAfterReading(.broken(why))
      }
    }
    if codec.isDone { hear(.lost(.outOfRules)) }
  }

  /// Whether what is made into bytes may leave: asked of the clock last, as to ask a journal for its places may take
  /// until somebody's night.
  ///
  /// The journal hears of a request right before the first byte of it is written: of what was only made into bytes it
  /// says after a kill that it never left.
  private func mayLeave() -> Bool {
    let leaving = output.unmarked.map(\.id)
    let isInTime = { [output] in output.mayLeave(at: .now) }
    guard !leaving.isEmpty, let observer = pool.observer else { return isInTime() }
    return observer.leave(leaving, if: isInTime)
  }

  private func writeSome() -> TLSConnection.Progress {
    output.mark()
    let (count, progress) = tls.write(output.rest)
    output.advance(by: count)
    return progress
  }

  /// Writes no more: not a byte has left of requests that no journal calls left.
  private func loseUnwritten() {
    for (stream, _) in output.unmarked { hear(.unwritten(stream: stream)) }
    loseAfterReading(.unwritten(at: .now, wentOnAt: wentOnAt))
  }

  /// What the server said before the connection broke still counts: a GOAWAY says what it has not taken.
  private func loseAfterReading(_ closing: Closing) {
    read()
    hear(.lost(closing))
  }

  /// Reads what is there, of a server that sends on and on no more than a mebibyte: the others' turn comes, too.
  private func read() {
    for _ in 0..<64 where !hasEnded {
      let (count, progress) = tls.read(into: &input)
      if count > 0 {
        let isLawful = codec.read(input[..<count])
        hearCodec()
        guard isLawful else { return hear(.lost(.outOfRules)) }
      }
      switch progress {
      case .done: continue
      case .waits: return
      case .ended: return hear(.lost(.ended))
      case .failed(let why): return hear(.lost(.broken(why)))
      }
    }
  }
}

extension ConnectionLoop {
  private func perform(_ actions: [ConnectionAction]) {
    for action in actions { perform(action) }
  }

  private func perform(_ action: ConnectionAction) {
    switch action {
    case .noteLeaving(let stream):
      if let pending = inHand[stream] { output.note(pending.request.id, as: stream) }
    case .reset(let stream, let code): codec.reset(stream, code)
    case .ping: codec.ping()
    case .measured(let ping): pool.measured(ping)
    case .opened:
      hasOpened = true
      pool.opened(id)
    case .proved: pool.proved(id)
    case .leave(let closing, let reason): pool.left(id, closing, reason: reason)
    case .end(let stream, let end):
      if let pending = inHand.removeValue(forKey: stream) { self.end(pending, end) }
    case .giveBack(let stream):
      if let pending = inHand.removeValue(forKey: stream) { pool.gaveBack(pending, on: id) }
    case .close(let closing, let saysGoAway): close(closing, saysGoAway: saysGoAway)
    }
  }

  /// The journal hears of it at once, its sender at the end of this turn.
  private func end(_ pending: Pending, _ end: End) {
    pool.observer?.ended(pending.request.id, with: end)
    ends.append((pending, end))
  }

  private func close(_ closing: Closing, saysGoAway: Bool) {
    hasEnded = true
    if saysGoAway { sayGoodbye() }
    tellEnds()
    if hasOpened {
      pool.closed(id, closing)
    } else {
      pool.failed(id, ConnectFailure(closing))
    }
  }

  /// As much of a goodbye as the socket takes at once.
  ///
  /// None behind what is not written: that would let requests leave that have ended or were given back.
  private func sayGoodbye() {
    guard output.isWritten else { return }
    codec.sayGoAway()
    output.refill(by: codec)
    _ = writeSome()
    tls.sayEnd()
  }
}
