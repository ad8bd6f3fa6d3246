import Glibc
import JobKit
import Postgres
import TestSupport
import Testing

/// A daemon that is killed while it tells people; another tells them.
@Suite("Killed while telling")
struct NotifyKillTests {
  @Test(arguments: [
    // Whether it may have been told already when the daemon dies.
    (Failpoint.messageMade, 1...1), (.messageClaimed, 1...1), (.messageSent, 2...2),
    (.messageRecorded, 1...1),
  ])
  func `what a killed daemon was about to tell is told by another, under one id`(
    place: Failpoint, times: ClosedRange<Int>
  ) async throws {
    let (status, told, open) = try await onOwnThread { try Self.kill(at: place) }

    #expect(status & 0x7f == SIGKILL)
    #expect(times.contains(told.count) && Set(told).count == 1, "\(told)")
    #expect(open == 0)
  }

  private static func kill(
    at place: Failpoint
  ) throws -> (status: Int32, told: [Substring], open: Int) {
    let (rehearsal, folder) = (try Rehearsal(), try ScratchFolder())
    let script = try folder.write(
      "#!/bin/sh\necho \"$WORKER_MESSAGE\" >>\(folder.path)/told\n", to: "tell", mode: 0o755)
    // While nobody is alive ticks are missed, which is another message.
    try rehearsal.set(
      """
      [notify]
      command = ["\(script)"]
      on = ["failed"]
      again_after = "1d"
      [jobs.rehearse]
      tries = 1
      """)
    try rehearsal.run("ALTER TABLE rehearsal ADD CHECK (chunk < 0) NOT VALID")
    let status = try rehearsal.daemon(dyingAt: place.rawValue).status()
    try rehearsal.passTime()
    try rehearsal.run("UPDATE jobkit.message SET not_before = 'epoch' WHERE state = 'sending'")
    let heir = try rehearsal.daemon()
    try rehearsal.wait(for: 1, of: "SELECT count(*) FROM jobkit.message WHERE state = 'told'")
    heir.send(SIGTERM)
    try heir.status()
    return (
      status, try TextFile.read("\(folder.path)/told").split(separator: "\n"),
      try rehearsal.number("SELECT count(*) FROM jobkit.message WHERE state <> 'told'")
    )
  }
}
