internal import Glibc
internal import JobKit
internal import Postgres
internal import TestSupport
internal import Testing

/// The real daemon, killed between any two of its statements; another takes over.
@Suite("Kill at every line")
struct KillTests {
  /// Only a job that cancels its earlier run asks others to stop; the one that rehearses does not.
  private static let places = Failpoint.allCases.filter { $0 != .decideOthersAsked }

  @Test(arguments: places)
  func `a daemon that is killed there loses nothing and doubles nothing`(
    place: Failpoint
  ) async throws {
    let end = try await onOwnThread { try Self.end(of: place) }

    #expect(end.status & 0x7f == SIGKILL)
    #expect(end.heirStatus == 0)
    #expect(end.losses == [])
  }

  /// How a daemon and the one after it ended, and what is missing in the ledger.
  private struct End {
    let status: Int32
    let heirStatus: Int32
    let losses: [String]
  }

  private static func end(of place: Failpoint) throws -> End {
    let rehearsal = try Rehearsal()
    try rehearsal.slowDown(
      by: place == .leasesExtended ? 0.4 : 0.02, failingOnce: place.isAfterFailure)
    let status = try kill(at: place, in: rehearsal)
    let heirStatus = try takeOver(rehearsal)
    return End(status: status, heirStatus: heirStatus, losses: try rehearsal.losses())
  }

  /// Brings a daemon to the place where it dies; returns how it ended.
  private static func kill(at place: Failpoint, in rehearsal: Rehearsal) throws -> Int32 {
    if place.isInRescue {
      try rehearsal.daemon(dyingAt: "chunk.saved:3").status()
      try rehearsal.passTime()
    }
    let daemon = try rehearsal.daemon(dyingAt: place.inTheMiddle)
    if place.isInDrain {
      try rehearsal.wait(for: 1, of: "SELECT count(*) FROM rehearsal")
      daemon.send(SIGTERM)
    }
    return try daemon.status()
  }

  /// Lets another daemon go on for two runs and then come to rest; returns how it ended.
  private static func takeOver(_ rehearsal: Rehearsal) throws -> Int32 {
    try rehearsal.passTime()
    try rehearsal.run("CREATE TABLE taken_over AS SELECT clock_timestamp() AS moment")
    let heir = try rehearsal.daemon()
    try rehearsal.wait(
      for: 2,
      of: """
        SELECT count(*) FROM jobkit.run, taken_over
        WHERE state = 'succeeded' AND scheduled_for > moment
        """)
    try rehearsal.run(
      "UPDATE jobkit.job SET paused_at = 'epoch', paused_by = 'test', pause_reason = 'the end'")
    try rehearsal.wait(
      for: 1,
      of: """
        SELECT (count(*) FILTER (WHERE state IN ('due', 'held', 'running')) = 0)::integer
        FROM jobkit.run
        """)
    heir.send(SIGTERM)
    return try heir.status()
  }
}

extension Failpoint {
  fileprivate var isInRescue: Bool { self == .rescueBegun || self == .rescueWritten }

  fileprivate var isInDrain: Bool {
    [.drainBegun, .drainAsked, .drainWorked, .drainForgotten].contains(self)
  }

  fileprivate var isAfterFailure: Bool { self == .giveBackBegun || self == .giveBackWritten }

  /// The place, with the chunks before it done.
  fileprivate var inTheMiddle: String {
    [.chunkBegun, .chunkWorked, .chunkSaved, .chunkCommitted].contains(self)
      ? "\(rawValue):3" : rawValue
  }
}
