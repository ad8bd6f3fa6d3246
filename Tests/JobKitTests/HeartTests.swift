@testable import JobKit

import LocalTime
import Postgres
import TestSupport
import Testing

@Suite("The heart")
struct HeartTests {
  @Test func `a daemon that cannot show itself keeps its connection, and beats on`() throws {
    let site = try Site()
    try site.connect().run(
      "ALTER TABLE jobkit.worker ADD CONSTRAINT nobody CHECK (false) NOT VALID")
    let daemon = try site.daemon()
    daemon.start()
    defer { daemon.drain(within: .seconds(10)) }

    let (beginning, end) = ("error: heart: its sign of life: ", "; tried again at the next beat")
    try eventually {
      site.log.filter { $0.hasPrefix(beginning) && $0.hasSuffix(end) }.count >= 3
    }

    #expect(!site.log.contains { $0.hasPrefix("error: ") && !$0.hasPrefix(beginning) })
    try site.awaitSuccesses(2)
  }
}
