import Testing

@testable import HTTP2

/// Which connection takes which request, and what becomes of those that wait.
struct PoolTests {
  @Test func `a request wakes the connection that has the least to do`() {
    var scene = PoolScene.open(2)

    #expect(scene.send() == ["wake 1"])
    #expect(scene.take(1).requests.count == 1)
    #expect(scene.send() == ["wake 2"])
    #expect(scene.take(2).requests.count == 1)
    #expect(scene.send() == ["wake 1"])
    #expect(scene.send() == ["wake 2"])
    #expect(scene.send() == [])
  }

  @Test func `a connection without room hears of the first that waits, and takes all when it has`()
  {
    var scene = PoolScene.open()
    scene.send()
    #expect(scene.take(1, streams: 1).requests.count == 1)

    #expect(scene.send() == ["wake 1"])
    #expect(scene.send() == [])
    #expect(scene.take(1, streams: 0).requests.isEmpty)
    #expect(scene.take(1, streams: 2).requests.count == 2)
  }

  @Test func `several connections share what waits`() {
    var scene = PoolScene.open(2)
    for _ in 1...10 { scene.send() }

    let first = scene.take(1)

    #expect(first.requests.map(\.request.id) == [2, 3, 4, 5, 6])
    #expect(first.hasMore)
    #expect(scene.take(2).requests.count == 3)
  }

  @Test func `a connection takes one request with a token that it has not shown`() {
    var scene = PoolScene.open()
    for _ in 1...3 { scene.send(token: 2) }

    #expect(scene.take(1, token: 1).requests.count == 1)
    #expect(scene.take(1, token: 2).requests.count == 2)
  }

  @Test func `a request for whose body the server has no room waits, and the connection sleeps`() {
    var scene = PoolScene.open()
    for _ in 1...3 { scene.send(body: 100) }

    #expect(scene.take(1, bytes: 250).requests.count == 2)
    let taking = scene.take(1, bytes: 250, longest: 99, halves: 0)
    #expect(taking.requests.isEmpty && !taking.hasMore)
    #expect(scene.send() == [])
    #expect(scene.take(1, bytes: 100).requests.count == 2)
  }

  @Test func `a request that may leave less long than those before it lets a connection look up`()
    throws
  {
    var scene = PoolScene.open()
    scene.send(lasting: .seconds(10))
    let given = try #require(scene.take(1, streams: 1).requests.first)

    #expect(scene.send() == ["wake 1"])
    #expect(scene.send(lasting: .seconds(20)) == ["wake 1"])
    #expect(scene.send(lasting: .seconds(25)) == [])
    #expect(scene.take(1, streams: 0).deadline == scene.now + .seconds(20))
    #expect(scene.giveBack(given, on: 1) == ["wake 1"])
    #expect(scene.take(1, streams: 0).deadline == scene.now + .seconds(10))
  }

  @Test func `a refused request goes to another connection before the rest`() throws {
    var scene = PoolScene.open(2)
    scene.send()
    let refused = try #require(scene.take(1).requests.first)

    #expect(scene.giveBack(refused, on: 1) == ["wake 1", "wake 2"])
    scene.send()
    #expect(scene.take(1, streams: 1).requests.map(\.request.id) == [3])
    #expect(scene.take(2).requests.map(\.request.id) == [2])
  }

  @Test func `with one connection alone a refused request is tried there again`() throws {
    var scene = PoolScene.open()
    scene.send()
    let refused = try #require(scene.take(1).requests.first)

    #expect(scene.giveBack(refused, on: 1) == ["wake 1"])
    #expect(scene.take(1).requests.count == 1)
  }

  @Test func `after a standstill no connection gets what may not leave any more, the rest goes on`()
    throws
  {
    var scene = PoolScene.open()
    scene.send(lasting: .seconds(20))
    let given = try #require(scene.take(1).requests.first)
    scene.send()
    scene.send(lasting: .seconds(12))
    scene.send(lasting: .seconds(11))
    scene.now += .seconds(12)

    let why = "no connection had room for the request in time"
    #expect(scene.expire() == ["not sent 4: \(why)", "not sent 5: \(why)"])
    _ = scene.giveBack(given, on: 1)
    scene.now += .seconds(9)
    #expect(scene.expire() == ["not sent 2: \(why)"])
    #expect(scene.take(1).requests.map(\.request.id) == [3])
  }

  @Test func `a request that was refused four times is not sent`() throws {
    var scene = PoolScene.open()
    scene.send()
    for _ in 1...3 {
      let refused = try #require(scene.take(1).requests.first)
      #expect(scene.giveBack(refused, on: 1) == ["wake 1"])
    }
    let refused = try #require(scene.take(1).requests.first)

    #expect(
      scene.giveBack(refused, on: 1) == [
        "not sent 2: the server refused the stream on each connection it was tried on"
      ])
    #expect(scene.machine.figures.free == 1000)
  }

  @Test func `no more is in hand than the window has room for`() {
    var scene = PoolScene.open(window: 2)
    scene.send()
    scene.take(1)
    scene.send()

    #expect(scene.send() == ["not sent 4: as many requests are in hand as the window allows"])
    #expect(scene.machine.figures.inFlight == 1)
    #expect(scene.machine.figures.waiting == 1)
    #expect(scene.machine.figures.free == 0)
  }

  @Test func `what waits is not sent when no connection can be made`() {
    var scene = PoolScene()
    scene.send()
    scene.send()

    #expect(
      scene.fail(1, .untrusted("certificate has expired")).prefix(2) == [
        "not sent 1: TLS with the server failed: certificate has expired",
        "not sent 2: TLS with the server failed: certificate has expired",
      ])
  }

  @Test func `what waits goes on waiting while another connection is open`() {
    var scene = PoolScene.open(2)
    scene.close(2)
    scene.send()

    #expect(scene.fail(3).allSatisfy { $0.hasPrefix("open 4") })
    #expect(scene.take(1).requests.count == 1)
  }

  @Test func `a request waits thirty seconds for a stream`() {
    var scene = PoolScene.open()
    scene.send()
    let taking = scene.take(1, streams: 0)

    #expect(taking.deadline == scene.now + .seconds(30))
    scene.now += .milliseconds(29_999)
    #expect(scene.expire() == [])
    scene.now += .milliseconds(1)
    #expect(scene.expire() == ["not sent 2: no connection had room for the request in time"])
  }

  @Test func `the end of the program ends what waits at once and what is out with its answer`()
    throws
  {
    var scene = PoolScene.open()
    scene.send()
    let out = try #require(scene.take(1).requests.first)
    scene.send()

    #expect(
      scene.drain() == ["not sent 3: the program is ending and sends nothing more", "wake 1"])
    #expect(scene.take(1).retire?.until == scene.now + .seconds(30))
    #expect(scene.send() == ["not sent 4: the program is ending and sends nothing more"])
    scene.end(out, on: 1)
    #expect(scene.close(1, .drained) == ["drained"])
  }

  @Test func `what is given back while the program ends is not sent`() throws {
    var scene = PoolScene.open()
    scene.send()
    let out = try #require(scene.take(1).requests.first)
    _ = scene.drain()

    #expect(
      scene.giveBack(out, on: 1) == ["not sent 2: the program is ending and sends nothing more"])
  }

  @Test func `a pool without connections has ended as soon as it is told to`() {
    var scene = PoolScene()

    #expect(scene.drain() == ["drained"])
  }

  @Test func `a connection that is being made at the end of the program is given up`() {
    var scene = PoolScene()
    scene.send()
    #expect(scene.machine.wants(1))

    #expect(scene.drain().last == "wake 1")
    #expect(!scene.machine.wants(1))
    #expect(scene.fail(1, .stopped) == ["drained"])
    #expect(scene.machine.figures.failed == [:])
  }

  @Test func `a server's own words for GOAWAY are counted apart until they are too many`() {
    var scene = PoolScene.open()
    for id in 1...40 {
      let letter = String(UnicodeScalar(UInt8(ascii: "A") + UInt8(id % 20)))
      scene.leave(id, "{\"reason\":\"\(letter)\"}")
      scene.close(id)
    }

    let counted = scene.machine.figures.goAways
    #expect(counted.values.reduce(0, +) == 40)
    #expect(counted.count == 17 && counted["other"] == 8)
    #expect(scene.machine.figures.lastGoAway == "{\"reason\":\"A\"}")
  }
}
