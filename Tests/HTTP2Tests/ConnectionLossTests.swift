import Testing

@testable import HTTP2

/// What a connection does when it breaks, falls silent or is no longer wanted.
struct ConnectionLossTests {
  @Test(arguments: [Closing.ended, .broken("Connection reset by peer"), .outOfRules])
  func `what left is uncertain, what did not is given back, what has a status is answered`(
    closing: Closing
  ) {
    var scene = Scene.open()
    let left = scene.send()
    let answered = scene.send()
    scene.hear(.status(200, stream: answered))
    let kept = scene.hold()

    let actions = scene.hear(.lost(closing))

    #expect(
      actions == [
        .uncertain(left, .lost(closing)), .answered(answered, isWhole: false),
        .giveBack(stream: kept), .close(closing, saysGoAway: false),
      ])
    #expect(scene.hear(.lost(closing)) == [])
  }

  @Test func `what was made into bytes and is never written is given back`() {
    var scene = Scene.open()
    let left = scene.send()
    let unwritten = scene.send()

    #expect(scene.hear(.unwritten(stream: unwritten)) == [.giveBack(stream: unwritten)])
    #expect(
      scene.hear(.lost(.ended)) == [
        .uncertain(left, .lost(.ended)), .close(.ended, saysGoAway: false),
      ])
  }

  @Test
  func `a server that says nothing before its SETTINGS is waited for as long as a connect takes`() {
    var scene = Scene()

    #expect(scene.machine.deadline == scene.now + .seconds(10))
    #expect(scene.wait(.milliseconds(9_999)) == [])
    #expect(scene.wait(.milliseconds(1)) == [.close(.silent, saysGoAway: false)])
  }

  @Test func `an idle server is asked each minute whether it is there`() {
    var scene = Scene.open()

    #expect(scene.machine.deadline == scene.now + .seconds(60))
    #expect(scene.wait(.milliseconds(59_999)) == [])
    #expect(scene.wait(.milliseconds(1)) == [.ping])
    #expect(scene.wait(.milliseconds(25)) == [])
    #expect(scene.hear(.pong) == [.measured(ping: .milliseconds(25))])
    #expect(scene.wait(.milliseconds(59_999)) == [])
    #expect(scene.wait(.milliseconds(1)) == [.ping])
  }

  @Test func `a server that answers no ping for ten seconds is gone`() {
    var scene = Scene.open()
    scene.wait(.seconds(60))
    let stream = scene.send()

    #expect(scene.wait(.milliseconds(9_999)) == [])
    #expect(
      scene.wait(.milliseconds(1))
        == [.uncertain(stream, .lost(.silent)), .close(.silent, saysGoAway: false)])
  }

  @Test func `two requests in a row without an answer let the server be asked`() {
    var scene = Scene.open()
    let first = scene.send()
    let second = scene.send()

    let actions = scene.wait(.seconds(30))

    #expect(
      actions == [
        .reset(stream: first, .cancel), .uncertain(first, .timeout),
        .reset(stream: second, .cancel), .uncertain(second, .timeout), .ping,
      ])
    #expect(scene.wait(.seconds(10)) == [.close(.silent, saysGoAway: false)])
  }

  @Test func `one request without an answer between others lets nobody be asked`() {
    var scene = Scene.open()
    _ = scene.send()
    #expect(!scene.wait(.seconds(30)).contains(.ping))
    let other = scene.send()
    scene.answer(other)
    _ = scene.send()

    #expect(!scene.wait(.seconds(30)).contains(.ping))
  }

  @Test func `at the end of the program nothing begins, and what is out may have its answer`() {
    var scene = Scene.open()
    let stream = scene.send()

    #expect(scene.hear(.retire(.drained, at: scene.now + .seconds(30))) == [])
    #expect(scene.machine.room == .none)
    #expect(
      scene.answer(stream) == [.answered(stream), .close(.drained, saysGoAway: true)])
  }

  @Test func `what has no answer when the time of the program is over is uncertain`() {
    var scene = Scene.open()
    scene.wait(.seconds(1))
    let stream = scene.send()
    scene.hear(.retire(.drained, at: scene.now + .seconds(5)))

    #expect(scene.wait(.milliseconds(4_999)) == [])
    #expect(
      scene.wait(.milliseconds(1)) == [
        .reset(stream: stream, .cancel), .uncertain(stream, .timeout),
        .close(.drained, saysGoAway: true),
      ])
  }

  @Test func `a connection with nothing to do is closed with a goodbye`() {
    var scene = Scene.open()

    #expect(
      scene.hear(.retire(.resting, at: scene.now + .seconds(30)))
        == [.close(.resting, saysGoAway: true)])
  }

  @Test
  func `the end of the program shortens the end of a connection that the server wants to end`() {
    var scene = Scene.open()
    let stream = scene.send()
    scene.hear(.goAway(last: stream, .noError, reason: ""))
    scene.hear(.retire(.drained, at: scene.now + .seconds(5)))

    #expect(
      scene.wait(.seconds(5)).last == .close(.goneAway(.noError), saysGoAway: true))
  }
}
