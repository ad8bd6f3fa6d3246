import Push
import Synchronization

/// A transport that remembers what it was handed, and answers as it is told.
final class Postbox: PushTransport {
  let staysInProcess: Bool
  let journal: PushJournal?
  let remains: [JournalRemains]

  private let handed = Mutex<[PushMessage]>([])
  private let answer: @Sendable (PushMessage) -> Delivery

  init(
    staysInProcess: Bool = true, journal: PushJournal? = nil, remains: [JournalRemains] = [],
    answering answer: @escaping @Sendable (PushMessage) -> Delivery = { _ in .sent }
  ) {
    (self.staysInProcess, self.answer) = (staysInProcess, answer)
    (self.journal, self.remains) = (journal, remains)
  }

  func send(_ pushes: [PushMessage]) -> [Delivery] {
    handed.withLock { $0 += pushes }
    return pushes.map(answer)
  }

  /// The messages without who had claimed them, which each run has another name for.
  var messages: [PushMessage] {
    handed.withLock { handed in
      handed.map { message in
        var message = message
        message.claim = ""
        return message
      }
    }
  }

  /// Who had claimed the messages.
  var claims: [String] { handed.withLock { $0.map(\.claim) } }

  var ids: [String] { messages.map(\.id) }
}
