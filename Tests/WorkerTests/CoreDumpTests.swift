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
}
