/// Writes pushes down instead of sending them: for demonstrations, rehearsals and the first days of a
/// new installation.
public struct LogTransport: PushTransport {
  private let write: @Sendable (String) throws -> Void

  /// A transport that hands each push to `write` as one line without its end.
  public init(write: @escaping @Sendable (String) throws -> Void) {
    self.write = write
  }

  public func send(_ pushes: [PushMessage]) -> [Delivery] {
    pushes.map { push in
      do {
        try write(push.line)
        return .sent
      } catch {
        return .notSent("\(error)")
      }
    }
  }
}

extension PushMessage {
  /// The push as one line of words, texts in quotes, and no more of the token than tells devices apart.
  fileprivate var line: String {
    "push id=\(id.debugDescription) token=\(token) expires_at=\(expiresAt)"
      + " title=\(title.debugDescription) body=\(body.debugDescription) link=\(link.debugDescription)"
  }
}
