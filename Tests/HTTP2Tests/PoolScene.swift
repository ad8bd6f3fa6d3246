import Synchronization

@testable import HTTP2

/// A pool's machine on a clock that is turned by hand, with the actions in words.
struct PoolScene {
  var machine: PoolMachine
  var now: Instant
  private let began: Instant
  private var nextRequest: UInt64 = 0

  init(_ policy: PoolPolicy = PoolPolicy(), seed: UInt64 = 1) {
    now = .now
    began = now
    machine = PoolMachine(policy, seed: seed)
  }

  /// A pool whose connections 1… are open and hungry.
  static func open(_ connections: Int = 1, window: Int = 1000) -> PoolScene {
    var policy = PoolPolicy()
    policy.connections = connections
    policy.window = window
    var scene = PoolScene(policy)
    scene.send()
    for id in 1...connections {
      scene.now += .seconds(1)
      scene.open(id)
      scene.prove(id)
    }
    for id in 1...connections {
      for pending in scene.take(id).requests { scene.end(pending, on: id) }
    }
    return scene
  }

  @discardableResult
  mutating func send(token: Int = 1, body: Int = 0, lasting: Duration? = nil) -> [String] {
    nextRequest += 1
    let request = Request(
      id: nextRequest, path: "/", headers: [], body: Array(repeating: 120, count: body),
      token: token,
      until: lasting.map { now + $0 })
    return words(machine.enqueue(Pending(request: request, since: now) { _ in }, at: now))
  }

  /// Lets a connection take what it has room for.
  @discardableResult
  mutating func take(
    _ id: Int, streams: Int = 100, token: Int? = 1, bytes: Int = .max, longest: Int = .max,
    halves: Int = .max
  ) -> Taking {
    let room = Room(
      streams: streams, token: token, mayProve: true, bytes: bytes, longest: longest, halves: halves
    )
    return machine.take(id, room, allowed: streams, at: now)
  }

  @discardableResult
  mutating func open(_ id: Int) -> [String] { words(machine.opened(id, at: now)) }

  mutating func prove(_ id: Int) { machine.proved(id) }

  mutating func end(_ pending: Pending, on id: Int) { machine.ended(1, on: id) }

  mutating func giveBack(_ pending: Pending, on id: Int) -> [String] {
    words(machine.gaveBack(pending, id, at: now))
  }

  @discardableResult
  mutating func leave(_ id: Int, _ reason: String = "") -> [String] {
    words(machine.left(id, .goneAway(.noError), reason: reason, at: now))
  }

  @discardableResult
  mutating func close(_ id: Int, _ closing: Closing = .goneAway(.noError)) -> [String] {
    words(machine.closed(id, closing, at: now))
  }

  mutating func fail(_ id: Int, _ failure: ConnectFailure = .tooSlow) -> [String] {
    words(machine.failed(id, failure, at: now))
  }

  mutating func expire() -> [String] { words(machine.expire(at: now)) }

  mutating func rest() -> [String] { words(machine.rest()) }

  mutating func renew() -> [String] { words(machine.renew(at: now)) }

  mutating func drain() -> [String] { words(machine.drain(until: now + .seconds(30))) }

  /// Each action as a few words, with seconds since now.
  func words(_ actions: [PoolAction]) -> [String] {
    actions.map { action in
      switch action {
      case .open(let id, let moment): "open \(id) in \((moment - now) / .seconds(1))"
      case .wake(let id): "wake \(id)"
      case .end(let pending, .notSent(let why)): "not sent \(pending.request.id): \(why)"
      case .end(let pending, let end): "\(pending.request.id): \(end)"
      case .drained: "drained"
      }
    }
  }
}
