internal import JobKit
internal import Ledger
internal import LocalTime
internal import Synchronization

/// Who works and how, shared by all copies of a pool: other settings change it while they work.
final class PoolMembers: Sendable {
  package struct Content {
    var name: DaemonID
    var jobs: [JobName: WorkerPool.Member]
    var zones: ZoneDatabase
  }

  private let content: Mutex<Content>

  init(_ content: Content) {
    self.content = Mutex(content)
  }

  var now: Content { content.withLock(\.self) }

  func change(_ change: (inout Content) -> Void) {
    content.withLock { change(&$0) }
  }
}
