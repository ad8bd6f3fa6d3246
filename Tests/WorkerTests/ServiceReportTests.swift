internal import Dispatch
internal import LocalTime
@testable import Runner
import Settings
internal import TestSupport
import Testing

@testable internal import JobKit
@testable import WorkerProgram

@Suite("What a service says of itself")
struct ServiceReportTests {
  private let receiver: DatagramReceiver
  private let folder: ScratchFolder
  private let now = Instant(microseconds: 1_790_000_000_000_000)

  init() throws {
    folder = try ScratchFolder()
    receiver = try DatagramReceiver(at: "\(folder.path)/notify")
  }

  private func report(isWatched: Bool = true) throws -> ServiceReport {
    var variables = ["NOTIFY_SOCKET": receiver.address]
    if isWatched { variables["WATCHDOG_USEC"] = "90000000" }
    return ServiceReport(
      to: try #require(Supervisor(variables, process: 17)), askingForTimeEvery: .milliseconds(1))
  }

  private func heard() throws -> [String] {
    try receiver.awaitText().split(separator: "\n").map(String.init)
  }

  private static let idle = "STATUS=runs nothing; last pass 2026-09-21T14:13:20Z"

  @Test func `it is ready with the first pass, and alive with each, and with nothing else`() throws
  {
    let report = try report()

    report.handle(.maintained(at: now))
    report.handle(.passed(Scheduler.Pass(), at: now))
    report.handle(.maintained(at: now))
    report.handle(.passed(Scheduler.Pass(), at: now))

    #expect(try heard() == ["WATCHDOG=1", "READY=1", Self.idle])
    #expect(try heard() == ["WATCHDOG=1", Self.idle])
    #expect(receiver.next() == nil)
  }

  @Test func `who waits for the database is alive, once it was ready`() throws {
    let report = try report()
    report.handle(.lostConnection(loop: "scheduler"))
    report.handle(.passed(Scheduler.Pass(), at: now))
    _ = try heard()

    report.handle(.lostConnection(loop: "scheduler"))
    let away = try heard()
    report.handle(.lostConnection(loop: "maintenance"))
    report.handle(.lostConnection(loop: "worker"))

    #expect(away.first == "WATCHDOG=1" && away.count == 2)
    #expect(away.last?.contains("has lost the database and tries again") == true)
    #expect(try heard() == away.suffix(1))
    #expect(receiver.next() == nil)
  }

  @Test func `a watch is made as patient as the longest wait for the database`() throws {
    let report = try report()
    var database = DatabaseSettings()
    report.begin(with: database)
    let told = receiver.next()
    (database.connectTimeout, database.statementTimeout) = (.seconds(61), .seconds(600))

    report.begin(with: database)
    try self.report(isWatched: false).begin(with: database)

    #expect(told == nil)
    #expect(try heard() == ["WATCHDOG_USEC=660000000"])
    #expect(receiver.next() == nil)
  }

  @Test func `nobody who does not watch is told that it is alive`() throws {
    let report = try report(isWatched: false)

    report.handle(.passed(Scheduler.Pass(), at: now))

    #expect(try heard() == ["READY=1", Self.idle])
  }

  @Test func `what is lived through between two passes is told a little later, once`() throws {
    let report = try report()

    report.handle(.lostConnection(loop: "maintenance"))
    report.handle(.lostConnection(loop: "scheduler"))

    #expect(try heard() == ["STATUS=starts; has lost the database and tries again"])
    #expect(receiver.next() == nil)
  }

  @Test func `a reload ends ready, and says why it was refused`() throws {
    let report = try report()
    report.handle(.passed(Scheduler.Pass(), at: now))
    _ = try heard()

    report.reloads()
    report.reloaded(refusal: "worker.toml:1:1: it is wrong")
    report.reloads()
    report.reloaded()

    #expect(try heard()[0] == "RELOADING=1")
    let refused = Self.idle + "; refused the settings: worker.toml:1:1: it is wrong"
    #expect(try heard() == ["READY=1", refused])
    #expect(try heard().last == refused)
    #expect(try heard() == ["READY=1", Self.idle])
  }

  @Test func `a reload before the first pass makes nothing ready`() throws {
    let report = try report()

    report.waits("it is away")
    report.reloads()
    report.reloaded()

    #expect(try heard() == ["STATUS=waits for the database: it is away"])
    #expect(try heard() == ["STATUS=waits for the database: it is away"])
  }

  @Test func `a drain asks for time again and again`() throws {
    try report().drains(within: .seconds(60))

    #expect(try heard() == ["STOPPING=1", "EXTEND_TIMEOUT_USEC=15000000", "STATUS=ends"])
    #expect(try heard() == ["EXTEND_TIMEOUT_USEC=15000000", "STATUS=ends"])
    #expect(try heard() == ["EXTEND_TIMEOUT_USEC=15000000", "STATUS=ends"])
  }

  @Test func `a drain that takes longer than it may asks no more`() throws {
    let report = try report()

    report.drains(within: .zero)
    report.handle(.draining)

    #expect(try heard() == ["STOPPING=1", "EXTEND_TIMEOUT_USEC=15000000", "STATUS=ends"])
    // A second later, after a thousand times at which it could have asked.
    #expect(try heard() == ["STATUS=ends"])
  }
}
