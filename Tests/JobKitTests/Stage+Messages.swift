@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

/// What a daemon does so that people are told, moved by hand.
extension Stage {
  static let watch = NoticeWatch(jobs: ["sample"])

  /// Lets a run of one part fail for good.
  func fail(_ error: String = "no") throws {
    try enter { $0.overlap = .allow }
    try finish(try claimOne(), as: .failed(error))
  }

  func claimMessages(
    for watch: NoticeWatch = Stage.watch, by owner: String = "one"
  ) throws -> [NoticeMessage] {
    try Ledger.claimMessages(
      10, for: watch, owner: owner, lease: SentMessage.lease, at: now, on: connection)
  }

  /// Records that a message was told, or why not; false when it belongs to another.
  func record(_ message: NoticeMessage, error: String? = nil) throws -> Bool {
    let now = try now
    let sent = SentMessage(
      message: message, toldChannels: error == nil ? ["webhook"] : [], error: error, claimedAt: now)
    return try Ledger.record(sent, at: now, on: connection)
  }

  /// What the maintenance loop sees that looks at the ledger now.
  func maintenanceQuery(at policies: Policies = Policies()) throws -> Ledger.MaintenanceQuery {
    try Ledger.maintenanceQuery(
      of: .sample(1), at: ["sample"], scheduling: ["sample"], lease: .seconds(15),
      delays: ["sample": policies.longestDelay], by: clock, for: Stage.watch, on: connection)
  }

  func hasNews() throws -> Bool { try maintenanceQuery().hasNews }
}
