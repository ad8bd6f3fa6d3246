/// How a connection begins, is doubted, and ends.
extension ConnectionMachine {
  /// When there is something to do if nothing happens.
  var deadline: Instant? {
    var earliest = heartbeat.deadline
    if let first = deadlines.first { earliest = min(earliest, first.at) }
    if let end = halfSent.values.min() { earliest = min(earliest, end) }
    switch phase {
    case .starting(let limit): return min(earliest, limit)
    case .leaving(_, let limit?): return min(earliest, limit)
    case .open, .leaving: return earliest
    case .closed: return nil
    }
  }

  mutating func settle(_ most: Int) {
    allowed = most
    guard case .starting = phase else { return }
    phase = .open
    actions.append(.opened)
  }

  /// The server takes nothing above `last`, and soon nothing at all.
  ///
  /// It may say so twice: first with the highest number there is, then with the one that counts.
  mutating func goAway(_ last: Int32, _ code: ErrorCode, _ reason: String) {
    guard !isStarting else { return close(.goneAway(code), saysGoAway: false) }
    for stream in streams.keys.filter({ $0 > last }).sorted() { endStream(stream, .refusedStream) }
    leave(.goneAway(code), reason: reason)
  }

  mutating func leave(_ closing: Closing, reason: String) {
    switch phase {
    case .leaving(_, let limit): phase = .leaving(closing, until: limit)
    default: phase = .leaving(closing, until: nil)
    }
    actions.append(.leave(closing, reason: reason))
  }

  /// Takes nothing more; at `limit` it ends, whoever still waits.
  mutating func retire(_ closing: Closing, until limit: Instant) {
    guard !isStarting else { return close(closing, saysGoAway: true) }
    if case .leaving(let earlier, let set) = phase {
      phase = .leaving(earlier, until: min(set ?? limit, limit))
    } else {
      phase = .leaving(closing, until: limit)
    }
  }

  mutating func checkLimits(at now: Instant) {
    endLate(at: now)
    endHalfSent(at: now)
    switch phase {
    case .starting(let limit) where now >= limit: return close(.silent, saysGoAway: false)
    case .leaving(let closing, let limit?) where now >= limit: return breakOff(closing)
    default: break
    }
    switch heartbeat.judge(at: now) {
    case .fine: break
    case .ask: actions.append(.ping)
    case .dead: lose(.silent)
    }
  }

  /// Gives up the requests whose time is over.
  private mutating func endLate(at now: Instant) {
    while let (stream, moment) = deadlines.first, moment <= now {
      deadlines.popFirst()
      guard let open = remove(stream) else { continue }
      actions.append(.reset(stream: stream, .cancel))
      giveUp(stream, open, as: .timeout)
      guard open.answer == nil else { continue }
      if heartbeat.missAnswer(at: now) { actions.append(.ping) }
    }
  }

  /// Gives up the requests the rest of which may leave no more.
  private mutating func endHalfSent(at now: Instant) {
    guard !halfSent.isEmpty else { return }
    for stream in halfSent.filter({ $0.value <= now }).keys.sorted() { breakOff(stream) }
  }

  /// The time of those that still wait is over because the program ends.
  private mutating func breakOff(_ closing: Closing) {
    for stream in streams.keys.sorted() { breakOff(stream) }
    close(closing, saysGoAway: true)
  }

  private mutating func breakOff(_ stream: Int32) {
    guard let open = remove(stream) else { return }
    actions.append(.reset(stream: stream, .cancel))
    giveUp(stream, open, as: .timeout)
  }

  /// The socket is gone, and with it all that waited.
  mutating func lose(_ closing: Closing) {
    for stream in streams.keys.sorted() {
      guard let open = remove(stream) else { continue }
      giveUp(stream, open, as: .lost(closing))
    }
    guard case .leaving(let earlier, _) = phase else { return close(closing, saysGoAway: false) }
    close(earlier, saysGoAway: false)
  }

  private mutating func giveUp(_ stream: Int32, _ open: OpenStream, as uncertain: Uncertain) {
    guard open.hasLeft else { return actions.append(.giveBack(stream: stream)) }
    end(stream, open, open.end(otherwise: uncertain))
  }

  mutating func closeWhenDone() {
    guard case .leaving(let closing, _) = phase, streams.isEmpty else { return }
    close(closing, saysGoAway: true)
  }

  private mutating func close(_ closing: Closing, saysGoAway: Bool) {
    phase = .closed
    actions.append(.close(closing, saysGoAway: saysGoAway))
  }

  private var isStarting: Bool {
    if case .starting = phase { true } else { false }
  }
}
