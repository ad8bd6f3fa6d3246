import Testing

@testable import HTTP2

/// Requests with bodies that are longer than what the server takes before it has their headers.
struct HalfSentTests {
  /// How many of five such requests a connection takes.
  private func taken(by scene: Scene) -> Int {
    var room = scene.machine.room
    room.longest = 10
    return (1...5).count { id in
      room.take(
        Request(
          id: UInt64(id), path: "/", headers: [], body: Array(repeating: 120, count: 20), token: 1))
    }
  }

  @Test func `one is tried until the server has made room for it, and then all`() {
    var scene = Scene.open()
    let before = taken(by: scene)
    let stream = scene.sendHalf()
    let meanwhile = taken(by: scene)
    #expect(scene.hear(.bodyLeft(stream: stream)) == [])

    #expect(before == 1 && meanwhile == 0 && taken(by: scene) == 5)
    #expect(scene.answer(stream) == [.answered(stream)])
  }

  @Test func `one whose rest may leave no more is broken off and uncertain, and another is tried`()
  {
    var scene = Scene.open()
    let stream = scene.sendHalf()

    #expect(scene.machine.deadline == scene.now + .seconds(20))
    #expect(scene.wait(.milliseconds(19_999)) == [])
    #expect(
      scene.wait(.milliseconds(1))
        == [.reset(stream: stream, .cancel), .uncertain(stream, .timeout)])
    #expect(taken(by: scene) == 1)
  }

  @Test func `one that the server refuses is given back, and one that it answers is answered`() {
    var (refusing, answering) = (Scene.open(), Scene.open())
    let (refused, answered) = (refusing.sendHalf(), answering.sendHalf())

    #expect(
      refusing.hear(.streamEnded(stream: refused, .refusedStream)) == [.giveBack(stream: refused)])
    #expect(answering.answer(answered, 413) == [.answered(answered, 413)])
    #expect(refusing.wait(.seconds(20)) == [] && answering.wait(.seconds(20)) == [])
    #expect(taken(by: refusing) == 1 && taken(by: answering) == 1)
  }

  @Test func `one whose connection is lost is uncertain`() {
    var scene = Scene.open()
    let stream = scene.sendHalf()

    #expect(
      scene.hear(.lost(.ended)) == [
        .uncertain(stream, .lost(.ended)), .close(.ended, saysGoAway: false),
      ])
  }

  @Test func `the rest leaves when there is room, until five seconds after the clock was asked`()
    throws
  {
    let (codec, start) = (try #require(FrameCodec()), ContinuousClock.now)
    // SETTINGS: a body may have forty bytes at first.
    #expect(codec.read([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 40]))
    var output = Outgoing()
    let request = Request(
      id: 1, path: "/", headers: [], body: Array(repeating: 120, count: 100))
    let begun = output.add(request, to: Origin(host: "push.example"), by: codec, taken: start)
    let stream = try #require(begun)
    let waited = codec.waits(stream)
    output.advance(by: output.rest.count)

    // WINDOW_UPDATE of its stream by sixty bytes.
    #expect(codec.read([0, 0, 4, 8, 0, 0, 0, 0, 1, 0, 0, 0, 60]))
    output.refill(by: codec, looked: start)

    #expect(waited && !codec.waits(stream))
    #expect(output.rest.count == 9 + 60)
    #expect(output.mayLeave(at: start + .seconds(5)))
    #expect(!output.mayLeave(at: start + .milliseconds(5_001)))
  }

  @Test func `bytes that are kept for bodies that wait are no room for others`() throws {
    let codec = try #require(FrameCodec())
    var room = Room(streams: 1, token: nil, mayProve: true)

    codec.narrow(&room, keeping: 35)

    #expect(room.bytes == 65_500)
  }
}

extension Scene {
  /// Lets a request leave whose body waits, for twenty seconds at most; returns its stream.
  fileprivate mutating func sendHalf() -> Int32 {
    let stream = send()
    machine.halfSent[stream] = now + .seconds(20)
    return stream
  }
}
