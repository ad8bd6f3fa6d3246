@testable import HTTP2

/// A connection's machine on a clock that is turned by hand.
struct Scene {
  var machine: ConnectionMachine
  private(set) var now = Instant.now
  private var nextStream: Int32 = 1

  /// A connection whose server has not sent its SETTINGS yet.
  init(_ limits: ConnectionLimits = ConnectionLimits(), provesTokens: Bool = true) {
    machine = ConnectionMachine(
      limits, provesTokens: provesTokens, settingsBy: now + .seconds(10), at: now)
  }

  /// A connection on which the server allows `streams`, and has accepted token 1.
  static func open(streams: Int = 100, _ limits: ConnectionLimits = ConnectionLimits()) -> Scene {
    var scene = Scene(limits)
    scene.hear(.settings(streams: streams))
    let first = scene.send()
    scene.answer(first)
    return scene
  }

  @discardableResult
  mutating func hear(_ event: ConnectionEvent) -> [ConnectionAction] {
    machine.hear(event, at: now)
  }

  /// Turns the clock, and lets the machine look at it.
  @discardableResult
  mutating func wait(_ duration: Duration) -> [ConnectionAction] {
    now += duration
    return hear(.tick)
  }

  /// Hands the machine a request and lets it leave; returns its stream.
  mutating func send(token: Int = 1) -> Int32 {
    let stream = hold(token: token)
    hear(.leaving(stream: stream))
    return stream
  }

  /// Hands the machine a request that does not leave yet.
  mutating func hold(token: Int = 1) -> Int32 {
    defer { nextStream += 2 }
    machine.begin(nextStream, token: token, at: now)
    return nextStream
  }

  @discardableResult
  mutating func answer(_ stream: Int32, _ status: Int = 200) -> [ConnectionAction] {
    hear(.status(status, stream: stream)) + hear(.whole(stream: stream))
  }
}

extension ConnectionAction {
  /// The end of a request whose answer has only a status.
  static func answered(_ stream: Int32, _ status: Int = 200, isWhole: Bool = true) -> Self {
    .end(stream: stream, .answered(Answer(status: status, isWhole: isWhole)))
  }

  static func uncertain(_ stream: Int32, _ why: Uncertain) -> Self {
    .end(stream: stream, .uncertain(why))
  }
}

extension ErrorCode {
  static let internalError = ErrorCode(rawValue: 2)
}
