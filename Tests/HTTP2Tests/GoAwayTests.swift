import Testing

@testable import HTTP2

/// What a connection does when its server wants it to end.
struct GoAwayTests {
  @Test func `what the server has not taken is given back, and the rest waits for its answers`() {
    var scene = Scene.open()
    let taken = scene.send()
    let above = scene.send()

    let actions = scene.hear(.goAway(last: taken, .noError, reason: "Shutdown"))

    #expect(
      actions == [.giveBack(stream: above), .leave(.goneAway(.noError), reason: "Shutdown")])
    #expect(scene.machine.room == .none)
    #expect(
      scene.answer(taken)
        == [.answered(taken), .close(.goneAway(.noError), saysGoAway: true)])
  }

  @Test func `a connection with nothing out is closed at once`() {
    var scene = Scene.open()

    let actions = scene.hear(.goAway(last: 1, .noError, reason: ""))

    #expect(
      actions
        == [.leave(.goneAway(.noError), reason: ""), .close(.goneAway(.noError), saysGoAway: true)])
  }

  @Test func `of two GOAWAYs the later one counts`() {
    var scene = Scene.open()
    let taken = scene.send()
    let above = scene.send()

    #expect(
      scene.hear(.goAway(last: Int32.max, .noError, reason: ""))
        == [.leave(.goneAway(.noError), reason: "")])
    let actions = scene.hear(.goAway(last: taken, .noError, reason: "Shutdown"))

    #expect(
      actions == [.giveBack(stream: above), .leave(.goneAway(.noError), reason: "Shutdown")])
  }

  @Test func `an abrupt one leaves uncertain what the server may have taken`() {
    var scene = Scene.open()
    let taken = scene.send()
    let above = scene.send()

    scene.hear(.goAway(last: taken, .internalError, reason: ""))
    let actions = scene.hear(.lost(.ended))

    #expect(
      actions == [
        .uncertain(taken, .lost(.ended)),
        .close(.goneAway(.internalError), saysGoAway: false),
      ])
    #expect(!actions.contains(.uncertain(above, .lost(.ended))))
  }

  @Test func `a status that came stands although the server says it took nothing`() {
    var scene = Scene.open()
    let stream = scene.send()
    scene.hear(.status(200, stream: stream))

    let actions = scene.hear(.goAway(last: 0, .noError, reason: ""))

    #expect(actions.first == .answered(stream, isWhole: false))
  }

  @Test func `the answers after a GOAWAY have the time that they always have`() {
    var scene = Scene.open()
    let stream = scene.send()
    scene.wait(.seconds(20))
    scene.hear(.goAway(last: stream, .noError, reason: ""))

    #expect(scene.wait(.milliseconds(9_999)) == [])
    #expect(
      scene.wait(.milliseconds(1)) == [
        .reset(stream: stream, .cancel), .uncertain(stream, .timeout),
        .close(.goneAway(.noError), saysGoAway: true),
      ])
  }

  @Test func `one before the SETTINGS means that there is no connection`() {
    var scene = Scene()

    let actions = scene.hear(.goAway(last: 0, .noError, reason: "Shutdown"))

    #expect(actions == [.close(.goneAway(.noError), saysGoAway: false)])
    #expect(scene.hear(.settings(streams: 100)) == [])
  }

  @Test(arguments: [
    (0, "", "NO_ERROR"), (11, "", "ENHANCE_YOUR_CALM"), (77, "", "error 77"),
    (0, "{\"reason\":\"Shutdown\"}", "Shutdown"),
    (0, "{ \"a\": 1, \"reason\" : \"TooManyRequests\", \"b\": 2 }", "TooManyRequests"),
    (0, "max_age", "other"), (0, "{\"reason\":\"two words\"}", "other"),
    (0, "{\"reason\":", "other"), (0, "{\"reason\"", "other"),
  ])
  func `a GOAWAY is counted by one word`(code: UInt32, text: String, word: String) {
    #expect(GoAway(code: ErrorCode(rawValue: code), text: text).word == word)
  }
}
