import Testing

@testable import HTTP2

@Suite("Connections that an answer wants no more")
struct RenewalTests {
  @Test func `all of them end with their answers, and the next request opens another`() {
    var scene = PoolScene.open(2)
    scene.now += .seconds(5)
    scene.send()
    let inHand = scene.take(1).requests

    #expect(scene.renew() == ["wake 1", "wake 2"])
    #expect(scene.take(1).retire?.closing == .renewed)
    #expect(scene.take(2).retire?.closing == .renewed)
    #expect(scene.close(2, .renewed) == [])
    #expect(scene.send() == ["open 3 in 0.0"])
    #expect(scene.take(1).requests.isEmpty)
    for pending in inHand { scene.end(pending, on: 1) }
    #expect(scene.close(1, .renewed) == [])
    #expect(scene.machine.backoff.failures == 0)
  }

  @Test func `what waits has another connection at once`() {
    var scene = PoolScene.open()
    scene.now += .seconds(5)
    scene.send()
    scene.take(1, streams: 0)

    #expect(scene.renew() == ["wake 1", "open 2 in 0.0"])
    #expect(scene.take(1).requests.isEmpty)
    scene.open(2)
    #expect(scene.take(2).requests.count == 1)
  }

  @Test func `what such a connection gives back goes by another`() throws {
    var scene = PoolScene.open()
    scene.now += .seconds(5)
    scene.send()
    let pending = try #require(scene.take(1).requests.first)

    #expect(scene.renew() == ["wake 1"])
    #expect(scene.giveBack(pending, on: 1) == ["open 2 in 0.0"])
  }

  @Test(arguments: [
    (UInt32(0), "", false), (0, "{\"reason\":\"Shutdown\"}", false),
    (0, "{\"reason\":\"IdleTimeout\"}", false), (0, "{\"reason\":\"BadCertificate\"}", true),
    (11, "", true), (2, "{\"reason\":\"Shutdown\"}", true),
  ])
  func `a GOAWAY is a complaint unless the server ends the connection as planned`(
    code: UInt32, text: String, isComplaint: Bool
  ) {
    var scene = PoolScene.open()
    let goAway = GoAway(code: ErrorCode(rawValue: code), text: text)
    _ = scene.machine.left(
      1, .goneAway(goAway.code), reason: text, at: scene.now)
    scene.close(1, .goneAway(goAway.code))

    #expect(scene.machine.figures.complaints == (isComplaint ? 1 : 0))
    #expect(scene.machine.figures.lastComplaint == (isComplaint ? goAway.word : nil))
  }
}
