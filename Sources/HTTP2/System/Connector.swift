internal import Glibc

/// Makes a connection: the name's addresses, the first of them that answers, TLS with HTTP/2.
struct Connector {
  let origin: Origin
  let limits: ConnectionLimits
  let waiting: Waiting
  let isWanted: () -> Bool

  /// Connects, or says why not; `deadline` is for all of it.
  func connect(by deadline: Instant) throws(ConnectFailure) -> TLSConnection {
    let addresses = try resolve(by: deadline)
    let socket = try dial(addresses, by: deadline)
    let connection = try TLSConnection(over: socket, to: origin)
    try shakeHands(on: connection, by: deadline)
    guard connection.speaksHTTP2 else { throw .otherProtocol }
    return connection
  }

  private func resolve(by deadline: Instant) throws(ConnectFailure) -> [SocketAddress] {
    let resolver = Resolver(
      origin.address ?? origin.host, port: origin.port, waking: waiting.wakeUp)
    while true {
      if let result = resolver.result { return try result.get() }
      try sleep(until: deadline, by: deadline)
    }
  }

  private func dial(
    _ addresses: [SocketAddress], by deadline: Instant
  ) throws(ConnectFailure) -> Int32 {
    var dialling = Dialling(
      addresses: addresses.count, between: limits.betweenDials, at: waiting.clock())
    var dials = Dials()
    while true {
      switch dialling.step(at: waiting.clock()) {
      case .dial(let number):
        if !dials.dial(addresses[number]) { dialling.fail(at: waiting.clock()) }
      case .lost: throw .unreachable(dials.failure ?? "it has no address")
      case .wait(let moment):
        let ready = try sleep(
          until: min(moment, deadline), by: deadline,
          for: dials.open.map { Waiting.Interest(descriptor: $0, writes: true) })
        if let socket = dials.firstConnected(ready, failing: { dialling.fail(at: waiting.clock()) })
        {
          return socket
        }
      }
    }
  }

  private func shakeHands(
    on connection: TLSConnection, by deadline: Instant
  ) throws(ConnectFailure) {
    while true {
      switch connection.shakeHands() {
      case .done: return
      case .waits: break
      case .ended: throw .untrusted("the server ended the connection")
      case .failed(let why): throw .untrusted(why)
      }
      let interest = Waiting.Interest(
        descriptor: connection.socket, reads: !connection.wantsToWrite,
        writes: connection.wantsToWrite)
      try sleep(until: deadline, by: deadline, for: [interest])
    }
  }

  @discardableResult
  private func sleep(
    until moment: Instant, by deadline: Instant, for interests: [Waiting.Interest] = []
  ) throws(ConnectFailure) -> [Bool] {
    guard waiting.clock() < deadline else { throw .tooSlow }
    let ready = waiting.sleep(until: moment, for: interests)
    guard isWanted() else { throw .stopped }
    return ready
  }
}

/// Sockets that try to connect to one server; those that are not needed are closed.
private struct Dials: ~Copyable {
  private(set) var open: [Int32] = []
  private(set) var failure: String?

  deinit {
    for descriptor in open { close(descriptor) }
  }

  /// Begins to connect; false when that failed at once.
  mutating func dial(_ address: SocketAddress) -> Bool {
    switch address.dial() {
    case .success(let descriptor):
      open.append(descriptor)
      return true
    case .failure(let error):
      failure = error.description
      return false
    }
  }

  /// The first socket that is connected, which belongs to the caller.
  mutating func firstConnected(_ ready: [Bool], failing fail: () -> Void) -> Int32? {
    for (descriptor, isReady) in zip(open, ready) where isReady {
      open.removeAll { $0 == descriptor }
      guard let error = SocketAddress.failure(of: descriptor) else { return descriptor }
      close(descriptor)
      failure = error.description
      fail()
    }
    return nil
  }
}
