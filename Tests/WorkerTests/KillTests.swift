internal import Glibc
internal import JobKit
internal import Postgres
internal import TestSupport
internal import Testing

/// The real daemon, killed between any two of its statements; another takes over.
@Suite("Kill at every line")
struct KillTests {
  @Test(arguments: Failpoint.allCases.filter { !$0.isElsewhere })
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

  /// Lets another daemon go on and then come to rest; returns how it ended.
  private static func takeOver(_ rehearsal: Rehearsal) throws -> Int32 {
    try rehearsal.passTime()
    return try rehearsal.rest(rehearsal.daemon())
  }
}

extension Failpoint {
  fileprivate var isInRescue: Bool { self == .rescueBegun || self == .rescueWritten }

  /// These places are killed at where people are told, where the app asks for runs, and where jobs come after others:
  /// see NotifyKillTests, RequestKillTests and AfterKillTests.
  fileprivate var isElsewhere: Bool {
    rawValue.hasPrefix("message.") || self == .requestsDue || self == .waitingDecided
  }

  fileprivate var isInDrain: Bool {
    [.drainBegun, .drainAsked, .drainWorked, .drainForgotten].contains(self)
  }

  fileprivate var isAfterFailure: Bool { self == .releaseBegun || self == .releaseWritten }

  /// The place, with the chunks before it done.
  fileprivate var inTheMiddle: String {
    [.chunkBegun, .chunkWorked, .chunkSaved, .chunkCommitted].contains(self)
      ? "\(rawValue):3" : rawValue
  }
}
