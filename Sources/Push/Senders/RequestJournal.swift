public import HTTP2
internal import Synchronization

/// Writes down which pushes leave by the connections of one provider.
public final class RequestJournal: RequestObserver {
  private let journal: PushJournal
  private let pushes = Mutex<[UInt64: Entry]>([:])

  private struct Entry {
    let push: String
    let claim: String
  }

  public init(_ journal: PushJournal) {
    self.journal = journal
  }

  /// Learns which push a request is for.
  public func expect(_ id: UInt64, _ push: PushMessage) {
    pushes.withLock { $0[id] = Entry(push: push.id, claim: push.claim) }
  }

  public func leaves(_ id: UInt64) { write(.leaving, id) }

  /// The server has certainly not worked on it.
  public func returns(_ id: UInt64) { write(.refused, id) }

  public func ended(_ id: UInt64, with end: End) {}

  /// Writes down what became of a push; one of which nobody knows stays one that has left.
  func note(_ delivery: Delivery, of id: UInt64) {
    if let note = delivery.note { write(note, id) }
    pushes.withLock { $0[id] = nil }
  }

  private func write(_ note: JournalNote, _ id: UInt64) {
    guard let entry = pushes.withLock({ $0[id] }) else { return }
    journal.note(note, entry.push, of: entry.claim)
  }
}
