import JobKit
import Postgres

/// The part of a run that has pushes in its hands, as their rows name it.
struct PushOwner: Hashable, Sendable {
  let text: String
  let part: Int
  let epoch: Int

  /// The owner that a part is; in a dry run, whose rows nobody sees, it has no number.
  init(_ fence: Fence?) {
    text = fence.map { "\($0.run)/\($0.part)" } ?? "dry run"
    part = fence?.part ?? 0
    epoch = fence?.epoch ?? 0
  }

  /// As a journal names it.
  var claim: String { "\(text)#\(epoch)" }

  /// Whether the owner of the row `push` works no more, as a condition: another epoch has begun, or the
  /// part is over.
  static let isGone: Statement = """
    NOT EXISTS (
      SELECT FROM jobkit.part
      WHERE part.state = 'running' AND part.run || '/' || part.number = push.owner
        AND part.epoch = push.epoch)
    """
}
