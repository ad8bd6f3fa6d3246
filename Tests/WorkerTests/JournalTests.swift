internal import JobKit
internal import LocalTime
import Runner
import Settings
internal import Synchronization
internal import TestSupport
import Testing

@testable import WorkerProgram

@Suite("The journal")
struct JournalTests {
  private let folder: ScratchFolder
  private let line = LogLine(
    at: Instant(microseconds: 1_790_000_000_000_000), level: .warning, message: "failed: a mishap",
    fields: [("job", "settle_rewards"), ("scheduled_for", "2026-09-21T14:00:00Z"), ("counted", "")])

  init() throws { folder = try ScratchFolder() }

  @Test func `a field is a line; before a value of many lines stands its length`() {
    let bytes = Journal.encoded([("MESSAGE", "one\ntwo"), ("PRIORITY", "6"), ("EMPTY", "")])

    let expected =
      Array("MESSAGE\n".utf8) + [7, 0, 0, 0, 0, 0, 0, 0]
      + Array("one\ntwo\nPRIORITY=6\nEMPTY=\n".utf8)
    #expect(bytes == expected)
  }

  @Test func `a length has eight bytes, the least first`() {
    let bytes = Journal.encoded([("A", String(repeating: "\n", count: 0x01_02_03))])

    #expect(bytes.prefix(10) == [65, 10, 3, 2, 1, 0, 0, 0, 0, 0])
  }

  @Test func `an entry has the message, the priority and each field under a name of its own`()
    throws
  {
    let receiver = try DatagramReceiver(at: "\(folder.path)/journal")
    let writer = LogWriter(
      format: .inJournal, journal: Journal(at: receiver.address), write: { _ in })

    writer.take(line)

    #expect(
      try receiver.awaitText() == """
        MESSAGE=failed: a mishap job=settle_rewards scheduled_for=2026-09-21T14:00:00Z
        PRIORITY=4
        SYSLOG_IDENTIFIER=worker
        WORKER_JOB=settle_rewards
        WORKER_SCHEDULED_FOR=2026-09-21T14:00:00Z

        """)
  }

  @Test func `it is known whether the journal has read what it was handed`() throws {
    let receiver = try DatagramReceiver(at: "\(folder.path)/journal")
    let journal = Journal(at: receiver.address)

    let before = journal.isRead
    let isTaken = journal.take([("MESSAGE", "ended")])
    let meanwhile = journal.isRead
    _ = try receiver.awaitText()

    #expect(before && isTaken && !meanwhile && journal.isRead)
  }

  @Test func `what the journal does not take is written with its priority before it`() {
    let written = Mutex("")
    let journal = Journal(at: "\(folder.path)/none")

    for writer in [journal, nil].map({ journal in
      LogWriter(format: .inJournal, journal: journal) { text in written.withLock { $0 += text } }
    }) {
      writer.take(line)
    }

    let text = "failed: a mishap job=settle_rewards scheduled_for=2026-09-21T14:00:00Z\n"
    #expect(written.withLock(\.self) == "<4>\(text)\(text)")
  }

  @Test(arguments: [
    (true, true, "14:13:20 warning failed"), (true, false, "14:13:20 warning failed"),
    (false, true, "failed"), (false, false, "ts=2026-09-21T14:13:20Z level=warning msg=\"failed"),
  ])
  func `without a setting the format is that of who reads`(
    isTerminal: Bool, isJournal: Bool, start: String
  ) {
    let format = LogFormat(.auto, isTerminal: isTerminal, isJournal: isJournal)

    #expect(format.text(of: line).hasPrefix("\(start): a mishap"))
  }

  @Test(arguments: [("$(stat -c %d:%i \"$ERRORS\")", "<3>"), ("1:1", ""), ("", "")])
  func `a refusal in the journal is an error, and elsewhere has no mark`(
    stream: String, mark: String
  ) throws {
    let program = try Program(
      shell: """
        : >"$ERRORS"; JOURNAL_STREAM="\(stream)" "$PROGRAM" check --config /nowhere.toml
        """)

    #expect(program.exitCode == 78)
    #expect(program.errors.hasPrefix("\(mark)worker: cannot read the settings '/nowhere.toml'"))
  }
}
