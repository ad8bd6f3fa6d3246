internal import TestSupport
import Testing

@testable import WorkerProgram

@Suite("What a supervisor is told")
struct SupervisorTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func supervisor(
    at address: String, _ more: [String: String] = [:]
  ) throws -> Supervisor {
    let variables = more.merging(["NOTIFY_SOCKET": address]) { first, _ in first }
    return try #require(Supervisor(variables, process: 17))
  }

  @Test func `there is none when no socket is named, or one that no system can have`() {
    #expect(Supervisor([:], process: 17) == nil)
    #expect(Supervisor(["NOTIFY_SOCKET": ""], process: 17) == nil)
    #expect(
      Supervisor(["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 107)], process: 17) == nil)
  }

  @Test(arguments: [true, false])
  func `it is told by a datagram to a file, or to a name without one`(isFile: Bool) throws {
    let address = isFile ? "\(folder.path)/notify" : "@\(folder.path)"
    let receiver = try DatagramReceiver(at: address)

    try supervisor(at: address).tell([.alive, .ready, .status("runs nothing")])

    #expect(try receiver.awaitText() == "WATCHDOG=1\nREADY=1\nSTATUS=runs nothing")
  }

  @Test func `a name is as long as a system allows`() throws {
    let address = "@" + folder.path + String(repeating: "x", count: 106 - folder.path.utf8.count)
    let receiver = try DatagramReceiver(at: address)

    try supervisor(at: address).tell([.stopping])

    #expect(address.utf8.count == 107)
    #expect(try receiver.awaitText() == "STOPPING=1")
  }

  @Test func `a status of two lines is no word of the protocol`() throws {
    let receiver = try DatagramReceiver(at: "\(folder.path)/notify")

    try supervisor(at: receiver.address).tell([.status("waits\nREADY=1"), .moreTime(.seconds(15))])

    #expect(try receiver.awaitText() == "STATUS=waits READY=1\nEXTEND_TIMEOUT_USEC=15000000")
  }

  @Test func `a reload is told with the time by the clock that nobody sets`() throws {
    let receiver = try DatagramReceiver(at: "\(folder.path)/notify")

    let before = ContinuousClock.now
    try supervisor(at: receiver.address).tell([.reloading])
    let words = try receiver.awaitText().split(separator: "\n")
    try supervisor(at: receiver.address).tell([.reloading])
    let again = try receiver.awaitText().split(separator: "\n")

    let times = [words[1], again[1]].compactMap { Int64($0.dropFirst("MONOTONIC_USEC=".count)) }
    #expect(words[0] == "RELOADING=1" && times.count == 2)
    #expect(times[0] > 0 && times[1] >= times[0])
    #expect(.microseconds(times[1] - times[0]) <= ContinuousClock.now - before)
  }

  @Test func `one that has gone away holds nobody up`() throws {
    let supervisor = try supervisor(at: "\(folder.path)/gone")

    supervisor.tell([.ready])

    #expect(supervisor.patience == nil)
  }

  @Test(arguments: [
    (["WATCHDOG_USEC": "90000000", "WATCHDOG_PID": "17"], Duration.seconds(90)),
    (["WATCHDOG_USEC": "90000000"], .seconds(90)),
    (["WATCHDOG_USEC": "90000000", "WATCHDOG_PID": "18"], nil),
    (["WATCHDOG_USEC": "0"], nil), (["WATCHDOG_USEC": "soon"], nil), (["WATCHDOG_PID": "17"], nil),
  ])
  func `it watches the process that it names, and no other`(
    variables: [String: String], patience: Duration?
  ) throws {
    #expect(try supervisor(at: "\(folder.path)/notify", variables).patience == patience)
  }
}
