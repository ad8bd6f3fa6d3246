import Push
import Synchronization

/// A transport that remembers what it was handed, and answers as it is told.
final class Postbox: PushTransport {
  let staysInProcess = true

  private let handed = Mutex<[PushMessage]>([])
  private let answer: @Sendable (PushMessage) -> Delivery

  init(answering answer: @escaping @Sendable (PushMessage) -> Delivery = { _ in .sent }) {
    self.answer = answer
  }

  func send(_ pushes: [PushMessage]) -> [Delivery] {
    handed.withLock { $0 += pushes }
    return pushes.map(answer)
  }

  var messages: [PushMessage] { handed.withLock(\.self) }

  var ids: [String] { messages.map(\.id) }
}
