import Push
import Synchronization

/// A transport that remembers what it was handed, and answers as it is told.
final class Postbox: PushTransport {
  let staysInProcess: Bool

  private let handed = Mutex<[PushMessage]>([])
  private let answer: @Sendable (PushMessage) -> Delivery

  init(
    staysInProcess: Bool = true,
    answering answer: @escaping @Sendable (PushMessage) -> Delivery = { _ in .sent }
  ) {
    (self.staysInProcess, self.answer) = (staysInProcess, answer)
  }

  func send(_ pushes: [PushMessage]) -> [Delivery] {
    handed.withLock { $0 += pushes }
    return pushes.map(answer)
  }

  var messages: [PushMessage] { handed.withLock(\.self) }

  var ids: [String] { messages.map(\.id) }
}
