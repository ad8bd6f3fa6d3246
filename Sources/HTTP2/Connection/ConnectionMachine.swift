/// What one connection decides, without a socket: it is told what happens, and says what to do.
///
/// A request ends here in exactly one way: with an answer, given back because the server certainly did not work on
/// it, or uncertain. Uncertain is what left and has neither a status nor a refusal.
struct ConnectionMachine {
  enum Phase: Equatable {
    /// The server's SETTINGS are missing. Nothing is sent: what fails now is certainly not sent.
    case starting(until: Instant)
    case open

    /// Nothing new is sent; what is out may have its answer until then.
    case leaving(Closing, until: Instant?)
    case closed
  }

  let limits: ConnectionLimits
  let provesTokens: Bool

  var phase: Phase
  var streams: [Int32: OpenStream] = [:]
  var heartbeat: Heartbeat

  /// The streams in the order in which their time runs out; those that have ended are still in it.
  var deadlines = FIFO<(stream: Int32, at: Instant)>()

  /// The streams whose bodies wait until the server has room for them, and until when the rest of each may leave.
  var halfSent: [Int32: Instant] = [:]

  /// Whether the server made room for a body that waited.
  var makesRoom = false

  /// How many streams the server allows.
  var allowed = 0

  /// The token that the server has accepted on this connection, and the stream that carries a newer one.
  var acceptedToken: Int?
  var provingStream: Int32?

  /// Whether any request was answered here.
  var hasAnswered = false

  /// What is to be done for the event at hand.
  var actions: [ConnectionAction] = []

  private var lastStream: Int32 = 0

  /// A connection whose TLS stands; its server has until `deadline` to send its SETTINGS.
  init(
    _ limits: ConnectionLimits, provesTokens: Bool = true, settingsBy deadline: Instant,
    at now: Instant
  ) {
    (self.limits, self.provesTokens) = (limits, provesTokens)
    phase = .starting(until: deadline)
    heartbeat = Heartbeat(limits, at: now)
  }

  /// What may be sent now.
  var room: Room {
    guard phase == .open else { return .none }
    return Room(
      streams: max(0, min(allowed, limits.streams) - streams.count),
      token: provesTokens ? acceptedToken : nil,
      mayProve: !provesTokens || provingStream == nil, provesTokens: provesTokens,
      halves: makesRoom ? .max : halfSent.isEmpty ? 1 : 0)
  }

  /// Takes a request for which there is room, and which will leave as that stream.
  mutating func begin(_ stream: Int32, token: Int, at now: Instant) {
    lastStream = stream
    streams[stream] = OpenStream(token: token)
    keepTime(of: stream, until: now + limits.answer)
    if provesTokens, token != acceptedToken { provingStream = stream }
  }

  /// Adds a deadline; those of streams that have ended are dropped before they are most of what is kept.
  private mutating func keepTime(of stream: Int32, until moment: Instant) {
    if deadlines.count > 2 * streams.count + 64 {
      let open = streams
      deadlines.keep { open[$0.stream] != nil }
    }
    deadlines.append((stream, moment))
  }

  /// Whether the numbers of streams end soon: the connection has done its work.
  private var isUsedUp: Bool { lastStream > Int32.max - 0x10000 }

  /// Hears what happened at `now`; returns what to do, in that order.
  mutating func hear(_ event: ConnectionEvent, at now: Instant) -> [ConnectionAction] {
    guard phase != .closed else { return [] }
    actions.removeAll(keepingCapacity: true)
    if event.isFromServer { heartbeat.hear(at: now) }
    decide(event, at: now)
    if isUsedUp, phase == .open { leave(.usedUp, reason: "") }
    closeWhenDone()
    while let first = deadlines.first, streams[first.stream] == nil { deadlines.popFirst() }
    return actions
  }

  private mutating func decide(_ event: ConnectionEvent, at now: Instant) {
    switch event {
    case .settings(let most): settle(most)
    case .status(let status, let stream): streams[stream]?.take(status: status)
    case .header(let header, let stream): take(header, of: stream)
    case .body(let bytes, let stream): take(bytes, of: stream)
    case .whole(let stream): finish(stream)
    case .streamEnded(let stream, let code): endStream(stream, code)
    case .leaving(let stream): noteLeaving(stream)
    case .kept(let stream): giveBack(stream)
    case .bodyLeft(let stream):
      if halfSent.removeValue(forKey: stream) != nil { makesRoom = true }
    case .unwritten(let stream):
      streams[stream]?.hasLeft = false
      giveBack(stream)
    case .goAway(let last, let code, let reason): goAway(last, code, reason)
    case .pong: heartbeat.hearPong(at: now).map { actions.append(.measured(ping: $0)) }
    case .lost(let closing): lose(closing)
    case .tick: checkLimits(at: now)
    case .retire(let closing, let limit): retire(closing, until: limit)
    }
  }
}

/// How many requests a connection can take, and with which tokens.
struct Room: Equatable {
  var streams: Int
  var token: Int?

  /// Whether one of them may carry a token that the connection has not shown yet.
  var mayProve: Bool
  var provesTokens = true

  /// How many bytes the bodies of all may have: a request whose body has to wait is half sent, and in vain where the
  /// rest of it is late.
  var bytes = Int.max

  /// How many bytes of one body the server takes before it has seen the headers; it may never take the rest, so that
  /// until it did once, one longer body at a time is tried.
  var longest = Int.max
  var halves = Int.max

  static let none = Room(streams: 0, token: nil, mayProve: false)

  /// Takes the room for a request; false when there is none.
  mutating func take(_ request: Request) -> Bool {
    guard streams > 0 else { return false }
    let isHalf = request.body.count > longest
    guard request.body.count <= bytes, !isHalf || halves > 0 else {
      // Like one without streams: what the server says next wakes it, and no other request does.
      streams = 0
      return false
    }
    if provesTokens, request.token != token {
      guard mayProve else { return false }
      mayProve = false
    }
    if isHalf { halves -= 1 }
    bytes -= request.body.count
    streams -= 1
    return true
  }
}
