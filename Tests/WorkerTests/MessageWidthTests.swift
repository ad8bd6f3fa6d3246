import Ledger
import LocalTime
import Postgres
import TestSupport
import Testing

@testable import WorkerProgram

/// The messages of the ledger in terminals of several widths.
@Suite("Messages on a terminal")
struct MessageWidthTests {
  @Test(arguments: [60, 80])
  func `a message is shown within the width, and none of its words is left out`(width: Int) throws {
    let database = try TestDatabase.migrated()
    try database.connect().run(
      script: """
        INSERT INTO jobkit.message (event, job, run, times, first_at, last_at, reason, made_at, state,
            not_before, tries, error, ended_at)
          VALUES ('held', 'refresh_widget_snapshots', 7, 1, '2026-03-02Z', '2026-03-02Z',
            'would touch 812, more than 500', '2026-03-02Z', 'given_up', '2026-03-02Z', 12,
            'the receiver at localhost port 9464 refuses the connection', '2026-03-03Z');
        """)
    let messages = try Ledger.messages(20, on: database.connect())
    let times = Times(zone: .utc, now: try Instant("2026-03-05T00:00:00Z"))

    let text = Command.table(of: messages, times).text(in: Style(isColoured: false, width: width))

    for line in text.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
    for word in ["waits", "approval", "not", "told:", "receiver", "refuses", "given_up"] {
      #expect(text.contains(word), "\(text)")
    }
  }
}
