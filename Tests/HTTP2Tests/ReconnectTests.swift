import Testing

@testable import HTTP2

/// When a pool opens connections.
struct ReconnectTests {
  @Test func `the first request opens the first connection, at once`() {
    var scene = PoolScene()

    #expect(scene.send() == ["open 1 in 0.0"])
    #expect(scene.send() == [])
  }

  @Test func `connections are opened one at a time, and one in a second`() {
    var policy = PoolPolicy()
    policy.connections = 3
    var scene = PoolScene(policy)
    scene.send()
    scene.now += .milliseconds(200)

    #expect(scene.open(1) == ["open 2 in 0.8"])
    scene.now += .seconds(2)
    #expect(scene.open(2) == ["open 3 in 0.0"])
    #expect(scene.open(3) == [])
  }

  @Test func `a GOAWAY opens the replacement at once, beside the old one`() {
    var scene = PoolScene.open()
    scene.now += .seconds(5)

    #expect(scene.leave(1) == ["open 2 in 0.0"])
    #expect(scene.machine.figures.leaving == 1)
    #expect(scene.close(1) == [])
  }

  @Test func `a second GOAWAY of one connection opens nothing more`() {
    var scene = PoolScene.open()
    scene.leave(1)

    #expect(scene.leave(1, #"{"reason":"Shutdown"}"#) == [])
    scene.close(1)
    #expect(scene.machine.figures.goAways == ["Shutdown": 1])
  }

  @Test func `a lost connection is replaced, but not twice within a second`() {
    var scene = PoolScene.open()
    scene.now += .seconds(5)

    #expect(scene.close(1, .ended) == ["open 2 in 0.0"])
    scene.open(2)
    scene.prove(2)
    scene.now += .milliseconds(300)
    #expect(scene.close(2, .ended) == ["open 3 in 0.7"])
  }

  @Test func `after failures it waits up to 1, 2, 4 … 60 seconds, each time any part of that`() {
    var backoff = Backoff(longest: .seconds(60), seed: 1)
    var limits: [Duration] = []
    for _ in 0..<9 {
      limits.append(backoff.limit)
      backoff.fail()
    }

    #expect(limits == [0, 1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    let waits = (0..<1000).map { _ in backoff.wait() }
    #expect(waits.allSatisfy { .zero..<Duration.seconds(60) ~= $0 })
    #expect(waits.contains { $0 < .seconds(10) } && waits.contains { $0 > .seconds(50) })
    backoff.succeed()
    #expect(backoff.limit == .zero)
  }

  @Test func `a connection that fails lets the next one wait`() {
    var scene = PoolScene(seed: 3)
    scene.send()
    for failures in 1...10 {
      scene.now += .seconds(120)
      _ = scene.fail(failures)
      #expect(scene.machine.backoff.failures == failures)
    }
    #expect(scene.machine.figures.failed == ["timeout": 10])
    #expect(scene.machine.figures.failuresInARow == 10)
  }

  @Test
  func `a server that opens and ends without an answer is no better than one that is not there`() {
    var scene = PoolScene()
    scene.send()
    scene.open(1)
    scene.leave(1)
    scene.close(1)
    #expect(scene.machine.backoff.failures == 1)

    scene.open(2)
    scene.prove(2)
    #expect(scene.machine.backoff.failures == 0)
    scene.leave(2)
    scene.close(2)
    #expect(scene.machine.backoff.failures == 0)
  }

  @Test func `a pool that rests opens a connection for the next request`() {
    var scene = PoolScene.open()
    scene.now += .seconds(600)

    #expect(scene.rest() == ["wake 1"])
    #expect(scene.take(1).retire?.closing == .resting)
    #expect(scene.send() == ["open 2 in 0.0"])
    #expect(scene.close(1, .resting) == [])
    #expect(scene.machine.backoff.failures == 0)
  }

  @Test func `a pool with something in hand does not rest`() {
    var scene = PoolScene.open()
    scene.send()

    #expect(scene.rest() == [])
  }

  @Test
  func `without a thread or a descriptor what waits is not sent, and the next request asks again`()
  {
    var scene = PoolScene()
    scene.send()

    let actions = scene.machine.couldNotBegin(1, .unreachable("no thread is left"))

    #expect(
      scene.words(actions) == ["not sent 1: cannot connect to the server: no thread is left"])
    #expect(scene.send().count == 1)
  }

  @Test
  func `without a descriptor for the next connection, one that leaves is not replaced at once`() {
    var scene = PoolScene.open()
    scene.send()
    let replacing = scene.machine.left(1, .goneAway(.noError), reason: "", at: scene.now)

    let actions = scene.machine.couldNotBegin(2, .unreachable("no descriptor is left"))

    #expect(scene.words(replacing).contains { $0.hasPrefix("open 2") })
    #expect(!scene.words(actions).contains { $0.hasPrefix("open") })
  }
}
