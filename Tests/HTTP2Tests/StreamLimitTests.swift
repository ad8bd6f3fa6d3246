import Testing

@testable import HTTP2

/// How many requests a connection has out at once.
struct StreamLimitTests {
  @Test func `nothing is sent before the server's SETTINGS`() {
    var scene = Scene()

    #expect(scene.machine.room == .none)
    #expect(scene.hear(.settings(streams: 100)) == [.opened])
    #expect(scene.machine.room.streams == 100)
  }

  @Test func `the first token of a connection goes out once until it is accepted`() {
    var scene = Scene()
    scene.hear(.settings(streams: 100))
    #expect(scene.machine.room.taking([1, 1]) == [true, false])

    let first = scene.send()
    #expect(!scene.machine.room.mayProve)
    scene.answer(first)
    let tokens = Array(repeating: 1, count: 101)
    #expect(scene.machine.room.taking(tokens).count { $0 } == 100)
  }

  @Test(arguments: [200, 400, 404, 410, 413, 429])
  func `an answer of the kind 200 or 400 accepts the token`(status: Int) {
    var scene = Scene()
    scene.hear(.settings(streams: 100))
    let first = scene.send()

    scene.answer(first, status)

    #expect(scene.machine.acceptedToken == 1)
  }

  @Test(arguments: [401, 403, 500, 503])
  func `an answer about the token or of a failing server does not accept it`(status: Int) {
    var scene = Scene()
    scene.hear(.settings(streams: 100))
    let first = scene.send()

    scene.answer(first, status)

    #expect(scene.machine.acceptedToken == nil)
    #expect(scene.machine.room.mayProve)
  }

  @Test func `a new token goes out once beside those that the server knows`() {
    var scene = Scene.open()
    let new = scene.send(token: 2)

    #expect(scene.machine.room.taking([2, 1]) == [false, true])

    scene.answer(new)
    #expect(scene.machine.room.taking([2, 2]) == [true, true])
  }

  @Test func `a token whose request was broken off is shown again`() {
    var scene = Scene()
    scene.hear(.settings(streams: 100))
    let first = scene.send()

    scene.hear(.streamEnded(stream: first, .refusedStream))

    #expect(scene.machine.room.mayProve)
  }

  @Test func `a server without tokens to accept gets all its streams at once`() {
    var scene = Scene(provesTokens: false)
    scene.hear(.settings(streams: 3))

    #expect(scene.machine.room.taking([0, 0, 0, 0]) == [true, true, true, false])
  }

  @Test func `SETTINGS that allow less let what is out end, and nothing above them begin`() {
    var scene = Scene.open(streams: 1000)
    let streams = (1...20).map { _ in scene.send() }

    #expect(scene.hear(.settings(streams: 10)) == [])
    #expect(scene.machine.room.streams == 0)
    for stream in streams.prefix(10) { #expect(scene.answer(stream) == [.answered(stream)]) }
    #expect(scene.machine.room.streams == 0)
    scene.answer(streams[10])
    #expect(scene.machine.room.streams == 1)
  }

  @Test func `SETTINGS that allow nothing hold everything back until others come`() {
    var scene = Scene.open(streams: 0)

    #expect(scene.machine.room.streams == 0)
    scene.hear(.settings(streams: 1))
    #expect(scene.machine.room.streams == 1)
  }

  @Test func `a server that allows any number gets as many as this side wants`() {
    let scene = Scene.open(streams: Int(UInt32.max))

    #expect(scene.machine.room.streams == ConnectionLimits().streams)
  }

  @Test func `a connection whose stream numbers end is replaced before they have`() {
    var scene = Scene.open()
    scene.machine.begin(Int32.max - 0x10000, token: 1, at: scene.now)

    #expect(scene.hear(.tick) == [])
    scene.machine.begin(Int32.max - 0xfffe, token: 1, at: scene.now)
    #expect(scene.hear(.tick) == [.leave(.usedUp, reason: "")])
    #expect(scene.machine.room == .none)
  }
}

extension Room {
  /// Whether each request of these tokens, one after the other, may leave.
  fileprivate func taking(_ tokens: [Int]) -> [Bool] {
    var room = self
    return tokens.map {
      room.take(Request(id: 1, path: "/", headers: [], body: [], token: $0))
    }
  }
}
