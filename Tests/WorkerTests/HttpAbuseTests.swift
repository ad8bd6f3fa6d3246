internal import Glibc
internal import TestSupport
internal import Testing

/// The attacker is Tests/http/abuse.py; what it found must be within these bounds.
@Suite("HTTP under abuse", .serialized)
struct HttpAbuseTests {
  @Test func `slow clients, 10000 connections and garbage change nothing for those who decide`()
    async throws
  {
    let report = try await onOwnThread { try Self.abuse() }
    func figure(_ name: String, _ section: String = "") -> Double {
      Self.figure(name, in: section, of: report)
    }

    // A pass takes its time, as does a tick, on a machine that now has a flood to make as well; a client that
    // held one up would do so for its two seconds. None is left out.
    for name in ["mean_ms", "late_ms"] {
      #expect(figure(name, "abuse") <= 20 * max(figure(name, "peace"), 5), "\(name): \(report)")
    }
    #expect(figure("count", "abuse") >= 3, "\(report)")
    #expect(figure("flooded") >= 10_000, "\(report)")
    // Memory stays within what so many connections may take.
    #expect(figure("memory_after") - figure("memory_before") <= 24, "\(report)")
    // Who is slow is sent away, who is not is answered meanwhile, and afterwards.
    #expect(figure("trickled_seconds") >= 1.9 && figure("trickled_seconds") < 100, "\(report)")
    #expect(figure("slow_closed") >= 50, "\(report)")
    #expect(figure("answered", "ordinary") >= 5, "\(report)")
    #expect(report.contains(#""afterwards": [200, 200, 200, 404]"#), "\(report)")
    #expect(report.contains(#""old": 200"#) && report.contains(#""pipelined": 10"#), "\(report)")
  }

  /// Lets the attacker loose on a daemon; returns what it has to say.
  private static func abuse() throws -> String {
    let daemon = try MonitoredDaemon(http: "timeout = \"2s\"")
    let attack = try Program(
      shell: "python3 Tests/http/abuse.py \(daemon.port) \(daemon.process.id)",
      variables: ["PATH": "/usr/bin:/bin"])
    #expect(attack.exitCode == 0, "\(attack.errors)")
    #expect(try daemon.rehearsal.rest(daemon.process) == 0)
    #expect(try daemon.rehearsal.losses() == [])
    return attack.output
  }

  /// A number of the report, by its name and that of the object that it stands in.
  private static func figure(_ name: String, in section: String, of report: String) -> Double {
    let start = section.isEmpty ? report[...] : report.after("\"\(section)\": {")
    return Double(start.after("\"\(name)\": ").prefix { $0.isNumber || $0 == "." }) ?? .nan
  }
}

extension StringProtocol where SubSequence == Substring {
  fileprivate func after(_ text: String) -> Substring {
    firstRange(of: text).map { self[$0.upperBound...] } ?? self[endIndex...]
  }
}
