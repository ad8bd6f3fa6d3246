import HTTP2
import Synchronization
import Testing
import TestSupport

/// What becomes of requests to servers to which no connection can be made.
struct ConnectTests {
  @Test func `a machine that builds this has both libraries`() {
    #expect(ConnectionPool.missingLibrary == nil)
  }

  @Test func `a request to a port on which nobody listens is not sent`() async throws {
    let pool = ConnectionPool(
      to: Origin(host: "localhost", port: UInt16(try FreePort.find()), address: "127.0.0.1"))

    #expect(await pool.send(request) == .notSent(.unconnected(.unreachable("Connection refused"))))
    // It tries again by itself, and may have before it is asked.
    #expect(pool.figures.failed.keys.sorted() == ["connect"])
    await pool.drained()
  }

  @Test func `a request to a name without an address is not sent`() async {
    let pool = ConnectionPool(to: Origin(host: "nobody.invalid"))

    guard case .notSent(.unconnected(.unknownName)) = await pool.send(request) else {
      Issue.record("it must be not sent, because of its name")
      return
    }
    await pool.drained()
  }

  @Test(arguments: ["none", "pipe"])
  func `authorities that cannot be read let nothing be sent`(name: String) async throws {
    let (server, folder) = (try SilentServer(), try ScratchFolder())
    let authorities = "\(folder.path)/\(name)"
    try ChildProcess.run("/usr/bin/mkfifo", ["\(folder.path)/pipe"])
    let pool = ConnectionPool(
      to: Origin(
        host: "localhost", port: UInt16(server.port), address: "127.0.0.1",
        authorities: authorities))

    #expect(
      await pool.send(request) == .notSent(.unconnected(.unreadableAuthorities(authorities))))
    await pool.drained()
  }

  @Test func `a server that says nothing has ten seconds`() async throws {
    let server = try SilentServer()
    let clock = HandClock()
    let pool = ConnectionPool(
      to: Origin(host: "localhost", port: UInt16(server.port), address: "127.0.0.1"),
      clock: { clock.now })
    let ends = Ends()
    pool.send(request) { ends.add($0) }
    try await onOwnThread { try eventually { pool.figures.opening == 1 } }

    try await onOwnThread {
      try eventually {
        // The time of an attempt begins when its thread does.
        clock.turn(.seconds(1))
        pool.lookAtClock()
        return !ends.all.isEmpty
      }
    }

    #expect(ends.all == [.notSent(.unconnected(.tooSlow))])
    await pool.drained()
  }

  @Test func `a pool that drains gives up a connection in the making`() async throws {
    let server = try SilentServer()
    let pool = ConnectionPool(
      to: Origin(host: "localhost", port: UInt16(server.port), address: "127.0.0.1"))
    let ends = Ends()
    pool.send(request) { ends.add($0) }

    await pool.drained()

    #expect(ends.all == [.notSent(.draining)])
    #expect(pool.figures.opening + pool.figures.open + pool.figures.leaving == 0)
  }

  @Test func `what ends without leaving is told to the journal as ended alone`() async throws {
    let journal = Journal()
    let pool = ConnectionPool(
      to: Origin(host: "localhost", port: UInt16(try FreePort.find()), address: "127.0.0.1"),
      observer: journal)

    _ = await pool.send(request)

    #expect(journal.lines == ["ended 1"])
    await pool.drained()
  }

  private let request = Request(id: 1, path: "/3/device/ab", headers: [], body: [])
}

extension ConnectionPool {
  /// Returns when every request has ended and every connection is closed.
  fileprivate func drained() async {
    await withCheckedContinuation { continuation in
      drain { continuation.resume() }
    }
  }
}

private final class Ends: Sendable {
  private let ends = Mutex<[End]>([])

  var all: [End] { ends.withLock { $0 } }

  func add(_ end: End) {
    ends.withLock { $0.append(end) }
  }
}

private final class HandClock: Sendable {
  private let moment = Mutex(ContinuousClock.now)

  var now: ContinuousClock.Instant { moment.withLock { $0 } }

  func turn(_ duration: Duration) {
    moment.withLock { $0 += duration }
  }
}

private final class Journal: RequestObserver {
  private let written = Mutex<[String]>([])

  var lines: [String] { written.withLock { $0 } }

  func leave(_ ids: [UInt64], if mayLeave: () -> Bool) -> Bool {
    add("leave \(ids)")
    return mayLeave()
  }

  func returns(_ id: UInt64) { add("returns \(id)") }
  func ended(_ id: UInt64, with end: End) { add("ended \(id)") }

  private func add(_ line: String) {
    written.withLock { $0.append(line) }
  }
}
