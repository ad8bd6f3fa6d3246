@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Synchronization
import TestSupport
import Testing

/// A whole daemon that tells people, and calls whoever waits for its call.
@Suite("Notifier")
struct NotifierTests {
  private let site: Site
  private let heard = Heard()

  init() throws { site = try Site() }

  private func notifier(_ tune: (inout NotifierSettings) -> Void) -> Notifier {
    var telling = NotifierSettings(watch: NoticeWatch(jobs: ["sample"]))
    tune(&telling)
    return Notifier(telling, from: "test", log: .silent)
  }

  @Test func `a daemon without anything to tell asks nothing and claims nothing`() throws {
    #expect(notifier { _ in }.watch == nil)
    #expect(notifier { $0.channels = [heard] }.watch == NoticeWatch(jobs: ["sample"]))
    #expect(notifier { $0.channels = [heard] }.room == 2 && notifier { _ in }.room == 0)
  }

  @Test func `whoever waits for a call is called no sooner than it is time`() throws {
    let notifier = notifier { $0.ping = heard.ping }
    let start = Instant(secondsSince1970: 1_000_000)

    notifier.ping(at: start, isLate: false)
    notifier.handle(.passed(Scheduler.Pass(), at: start))
    notifier.ping(at: start, isLate: true)
    #expect(heard.pings == 0, "before the first pass, and while a run is late")

    notifier.ping(at: start, isLate: false)
    try eventually { heard.pings == 1 }
    for second in [1, 59] { notifier.ping(at: start + .seconds(second), isLate: false) }
    #expect(heard.pings == 1)
    notifier.ping(at: start + .seconds(89), isLate: false)
    try eventually { heard.pings == 2 }
    notifier.ping(at: start + .seconds(180), isLate: false)
    #expect(heard.pings == 2, "the last pass is too long ago")
  }

  @Test func `a daemon tells of a failure, and that the job succeeds again`() throws {
    let fails = Box<Bool>()
    fails.value = true
    var policies = Policies()
    policies.retry.tries = 1
    let notifier = notifier { $0.channels = [heard] }
    let daemon = try site.daemon(telling: notifier, policies: policies) { _ in
      if fails.value == true { throw Mishap() }
      return Outcome("done")
    }
    daemon.start()
    defer { daemon.drain(within: .seconds(10)) }
    // How often it failed before the first message depends on the machine.
    try eventually { heard.titles.contains { $0.hasPrefix("sample failed") } }

    fails.value = false

    try eventually { heard.titles.contains { $0.hasPrefix("sample succeeded again after ") } }
  }

  private struct Mishap: Error {}
}

/// Hears messages and calls.
private final class Heard: Channel {
  private let words = Mutex<[String]>([])
  private let calls = Mutex(0)

  let name = "test"
  let label = "test"

  var titles: [String] { words.withLock(\.self) }
  var pings: Int { calls.withLock(\.self) }

  func deliver(_ message: WrittenMessage) throws(DeliveryError) {
    words.withLock { $0.append(message.title) }
  }

  @Sendable func ping() throws(DeliveryError) { calls.withLock { $0 += 1 } }
}
