import Testing

@testable import HTTP2

/// What becomes of one request: exactly one of answered, given back, uncertain.
struct StreamEndTests {
  @Test func `an answer ends a request with its status, headers and body`() {
    var scene = Scene.open()
    let stream = scene.send()

    scene.hear(.status(410, stream: stream))
    scene.hear(.header(HeaderField("apns-id", "7"), stream: stream))
    scene.hear(.body(Array("{\"reason\":".utf8), stream: stream))
    scene.hear(.body(Array("\"Unregistered\"}".utf8), stream: stream))
    let actions = scene.hear(.whole(stream: stream))

    let answer = Answer(
      status: 410, headers: [HeaderField("apns-id", "7")],
      body: Array("{\"reason\":\"Unregistered\"}".utf8))
    #expect(actions == [.end(stream: stream, .answered(answer))])
    #expect(answer["apns-id"] == "7" && answer["retry-after"] == nil)
  }

  @Test func `a status that only says to go on is no answer`() {
    var scene = Scene.open()
    let stream = scene.send()

    scene.hear(.status(103, stream: stream))
    scene.hear(.header(HeaderField("link", "x"), stream: stream))

    #expect(scene.answer(stream) == [.answered(stream)])
  }

  @Test func `a request that the server refused is given back`() {
    var scene = Scene.open()
    let stream = scene.send()

    #expect(scene.hear(.streamEnded(stream: stream, .refusedStream)) == [.giveBack(stream: stream)])
  }

  @Test(arguments: Array(0...6) + Array(8...13) + [99])
  func `a request that was broken off with any other code is uncertain`(code: UInt32) {
    var scene = Scene.open()
    let stream = scene.send()

    let actions = scene.hear(.streamEnded(stream: stream, ErrorCode(rawValue: code)))

    #expect(actions == [.uncertain(stream, .reset(ErrorCode(rawValue: code)))])
  }

  @Test(arguments: [2, 7, 8] as [UInt32])
  func `a status that came stands, however the stream ends`(code: UInt32) {
    var scene = Scene.open()
    let stream = scene.send()
    scene.hear(.status(200, stream: stream))

    let actions = scene.hear(.streamEnded(stream: stream, ErrorCode(rawValue: code)))

    #expect(actions == [.answered(stream, isWhole: false)])
  }

  @Test func `a request that could not be made into bytes is given back`() {
    var scene = Scene.open()
    let stream = scene.hold()

    #expect(scene.hear(.kept(stream: stream)) == [.giveBack(stream: stream)])
  }

  @Test func `the journal hears of a request before the server can`() {
    var scene = Scene.open()
    let stream = scene.hold()

    #expect(scene.hear(.leaving(stream: stream)) == [.noteLeaving(stream: stream)])
  }

  @Test func `a body that is too long is cut, and its status stands`() {
    var scene = Scene.open()
    let stream = scene.send()
    scene.hear(.status(400, stream: stream))
    let most = Array(repeating: UInt8(1), count: 16 * 1024)

    #expect(scene.hear(.body(most, stream: stream)) == [])
    let actions = scene.hear(.body([2], stream: stream))

    let cut = Answer(status: 400, body: most, isWhole: false)
    #expect(actions == [.reset(stream: stream, .cancel), .end(stream: stream, .answered(cut))])
  }

  @Test func `headers beyond their room are left out`() {
    var limits = ConnectionLimits()
    limits.headers = 10
    var scene = Scene.open(limits)
    let stream = scene.send()
    scene.hear(.status(200, stream: stream))

    scene.hear(.header(HeaderField("abcde", "12345"), stream: stream))
    scene.hear(.header(HeaderField("f", "6"), stream: stream))
    let actions = scene.hear(.whole(stream: stream))

    let answer = Answer(status: 200, headers: [HeaderField("abcde", "12345")])
    #expect(actions == [.end(stream: stream, .answered(answer))])
  }

  @Test func `a request has thirty seconds, then it is broken off and uncertain`() {
    var scene = Scene.open()
    let stream = scene.send()

    #expect(scene.machine.deadline == scene.now + .seconds(30))
    #expect(scene.wait(.milliseconds(29_999)) == [])
    #expect(
      scene.wait(.milliseconds(1))
        == [.reset(stream: stream, .cancel), .uncertain(stream, .timeout)])
  }

  @Test func `a status whose body does not end in time stands`() {
    var scene = Scene.open()
    let stream = scene.send()
    scene.hear(.status(200, stream: stream))

    #expect(
      scene.wait(.seconds(30))
        == [.reset(stream: stream, .cancel), .answered(stream, isWhole: false)])
  }

  @Test func `an answer that comes too late changes nothing`() {
    var scene = Scene.open()
    let stream = scene.send()
    scene.wait(.seconds(30))

    #expect(scene.answer(stream) == [])
    #expect(scene.hear(.streamEnded(stream: stream, .cancel)) == [])
  }

  @Test func `a request that has not left in time is given back`() {
    var scene = Scene.open()
    let stream = scene.hold()

    #expect(
      scene.wait(.seconds(30)) == [.reset(stream: stream, .cancel), .giveBack(stream: stream)])
  }
}
