public import HTTP2
internal import Synchronization

/// Writes down which pushes leave by the connections of one provider.
public final class RequestJournal: RequestObserver {
  private let journal: PushJournal
  private let keys = Mutex<[UInt64: JournalKey]>([:])

  public init(_ journal: PushJournal) {
    self.journal = journal
  }

  /// Learns which push a request is for, and works out its key: not when it leaves, as who is killed between its mark
  /// and its first byte leaves it uncertain in vain.
  public func expect(_ id: UInt64, _ push: PushMessage) {
    guard let key = JournalKey(push: push.id, claim: push.claim) else { return }
    keys.withLock { $0[id] = key }
  }

  public func leave(_ ids: [UInt64], if mayLeave: () -> Bool) -> Bool {
    let leaving = keys.withLock { keys in ids.compactMap { keys[$0] } }
    return journal.markLeaving(leaving, if: mayLeave)
  }

  /// The server has certainly not worked on it.
  public func returns(_ id: UInt64) { write(.refused, id) }

  public func ended(_ id: UInt64, with end: End) {}

  /// Writes down what became of a push; one of which nobody knows stays one that has left.
  func note(_ delivery: Delivery, of id: UInt64) {
    if let note = delivery.note { write(note, id) }
    keys.withLock { $0[id] = nil }
  }

  private func write(_ note: JournalNote, _ id: UInt64) {
    guard let key = keys.withLock({ $0[id] }) else { return }
    journal.note(note, key)
  }
}
