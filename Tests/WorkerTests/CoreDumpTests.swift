import Glibc
import TestSupport
import Testing

@Suite("Core dumps")
struct CoreDumpTests {
  @Test func `none is written of a daemon that dies of a fault, whatever the shell allows`() throws
  {
    let rehearsal = try Rehearsal()
    var allowed = rlimit()
    #expect(unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &allowed) == 0)
    allowed.rlim_cur = allowed.rlim_max
    #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &allowed) == 0)

    // What prints where it crashed would go on after a signal that no fault has sent.
    let daemon = try rehearsal.start(["daemon"], variables: ["SWIFT_BACKTRACE=enable=no"])
    _ = try rehearsal.awaitLine("succeeded")
    let limits = try TextFile.read("/proc/\(daemon.id)/limits")
    daemon.send(SIGSEGV)
    let status = try daemon.status()

    let line = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") } ?? ""
    #expect(line.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
    // The bit that says that there is a dump.
    #expect(status & 0x7f == SIGSEGV && status & 0x80 == 0)
  }

  @Test func `where it shows what it was at, it ends with the second signal at the latest`() throws
  {
    let rehearsal = try Rehearsal()
    let daemon = try rehearsal.start(["daemon"], variables: ["SWIFT_BACKTRACE=enable=yes"])
    _ = try rehearsal.awaitLine("succeeded")

    daemon.send(SIGABRT)
    // The helper by which Swift prints would stay behind if the daemon died before it is done.
    _ = try rehearsal.awaitLine("Backtrace took")
    daemon.send(SIGABRT)
    let status = try daemon.status()

    #expect(status & 0x7f == SIGABRT && status & 0x80 == 0)
  }

  @Test func `what a program has in memory is shown to no other of its user, as to no debugger`()
    throws
  {
    let folder = try ScratchFolder()
    // Root may look at everything: these programs have none of its rights, and any other user has none anyway.
    let bare = geteuid() == 0 ? ["--bounding-set=-all"] : []
    let daemon = try ChildProcess(
      "setpriv",
      bare + [
        "/usr/bin/env", "-i", "WORKER_CONFIG=/dev/null", "WORKER_DATABASE_URL=host=/nowhere",
        "TZDIR=\(TestEnvironment.zoneinfo)", TestEnvironment.debugBinary, "daemon",
      ], output: "\(folder.path)/log")
    let other = try ChildProcess("setpriv", bare + ["/bin/sleep", "600"])
    func mayLook(at process: ChildProcess) throws -> Bool {
      try ChildProcess("setpriv", bare + ["/bin/cat", "/proc/\(process.id)/environ"]).status() == 0
    }

    try eventually { (try? TextFile.read("\(folder.path)/log"))?.contains("/nowhere") == true }
    try eventually { try mayLook(at: other) }

    #expect(try !mayLook(at: daemon))
  }
}
