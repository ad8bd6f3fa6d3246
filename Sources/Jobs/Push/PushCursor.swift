/// Where a run goes on after a crash: behind which learner, and from which transaction on the next run
/// has to read.
///
/// The transaction is that of the run's first look: what committed since then, of learners that were
/// passed before the crash, would be overlooked otherwise.
struct PushCursor: Equatable {
  let lastUser: Int
  let seenIn: Int

  init(lastUser: Int, seenIn: Int) {
    (self.lastUser, self.seenIn) = (lastUser, seenIn)
  }

  init?(_ text: String?) {
    let words = (text ?? "").split(separator: " ").compactMap { Int($0) }
    guard words.count == 2 else { return nil }
    self.init(lastUser: words[0], seenIn: words[1])
  }

  var text: String { "\(lastUser) \(seenIn)" }
}
