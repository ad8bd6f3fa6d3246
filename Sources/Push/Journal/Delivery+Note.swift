extension PushJournal {
  /// Writes down what became of a push that left; one of which nobody knows stays one that has left.
  func note(_ delivery: Delivery, _ push: PushMessage) {
    if let note = delivery.note { self.note(note, push.id, of: push.claim) }
  }
}

extension Delivery {
  /// What a journal knows by it, or nothing more than before.
  var note: JournalNote? {
    switch self {
    case .sent, .accepted: .accepted
    case .refused, .notSent: .refused
    // What is rejected is not sent again, not after a kill either: the answer may be one that nobody knows.
    case .rejected, .uncertain: nil
    }
  }
}
