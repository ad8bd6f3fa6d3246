import Glibc
import TestSupport
import Testing

/// A daemon whose settings cannot be read any more.
@Suite("A reload that hangs")
struct HungReloadTests {
  /// Starts a daemon; what it finds on standard input is a pipe into which nobody ever writes.
  private func daemon(_ rehearsal: Rehearsal, toldAt supervisor: String) throws -> ChildProcess {
    try ChildProcess(
      "/usr/bin/env",
      [
        "-i", "WORKER_CONFIG=\(rehearsal.settingsFile)", "WORKER_REHEARSAL=rehearse",
        "TZDIR=\(TestEnvironment.zoneinfo)", "NOTIFY_SOCKET=\(supervisor)",
        "/usr/bin/python3", "-c", Self.start, TestEnvironment.debugBinary, "daemon",
      ])
  }

  /// The other end of the pipe is the daemon's own, so it is open as long as that lives.
  private static let start = """
    import os, sys
    reader, writer = os.pipe()
    os.dup2(reader, 0)
    os.set_inheritable(writer, True)
    os.execv(sys.argv[1], sys.argv[1:])
    """

  @Test func `keeps no daemon from draining`() throws {
    let (rehearsal, folder) = (try Rehearsal(), try ScratchFolder())
    let supervisor = try DatagramReceiver(at: "\(folder.path)/notify")
    let daemon = try daemon(rehearsal, toldAt: supervisor.address)
    try listen(supervisor, "READY=1")
    try ChildProcess.run("/bin/ln", ["-sf", "/proc/self/fd/0", rehearsal.settingsFile])
    daemon.send(SIGHUP)
    try listen(supervisor, "RELOADING=1")

    daemon.send(SIGTERM)
    let words = try listen(supervisor, "STOPPING=1")
    let status = try daemon.status()

    // It has not waited for the end of the reload, which is told as a refusal.
    #expect(!words.contains { $0.contains("refused the settings") }, "\(words)")
    #expect(status == 0)
  }

  @Test func `with a pipe without a writer is a reload that is refused`() throws {
    let rehearsal = try Rehearsal()
    let daemon = try rehearsal.daemon()
    _ = try rehearsal.awaitLine("started")
    unsafe unlink(rehearsal.settingsFile)
    try ChildProcess.run("/usr/bin/mkfifo", [rehearsal.settingsFile])

    daemon.send(SIGHUP)
    let line = try rehearsal.awaitLine("settings: cannot read the settings")
    daemon.send(SIGTERM)

    #expect(line.contains("it is a named pipe"))
    #expect(try daemon.status() == 0)
  }

  /// Waits until the supervisor hears something; returns all that it heard until then.
  @discardableResult
  private func listen(_ supervisor: DatagramReceiver, _ word: String) throws -> [String] {
    var heard: [String] = []
    try eventually {
      if let bytes = supervisor.next() { heard.append(String(decoding: bytes, as: UTF8.self)) }
      return heard.last?.contains(word) == true
    }
    return heard
  }
}
