import JobKit
import LocalTime

/// Where a part goes on: after which learner, and what its first attempt had seen.
///
/// Whoever goes on after a crash makes the list of learners anew, but begins behind those who were done.
/// What was committed meanwhile about one of those is for the next run, so the mark stays the first one's.
struct StreakPlace {
  let last: String?
  let seenIn: Int?

  init(last: String, seenIn: Int) {
    (self.last, self.seenIn) = (last, seenIn)
  }

  /// Reads a cursor that ``cursor`` has written.
  init(_ cursor: String?) {
    let words = cursor?.split(separator: " ") ?? []
    last = words.first.map(String.init)
    seenIn = words.count > 1 ? Int(words[1]) : nil
  }

  var cursor: String { "\(last ?? "") \(seenIn ?? 0)" }

  /// The mark to save at the end of the part.
  func mark(in context: borrowing JobContext) throws -> Watermark {
    let moment = context.scheduledFor
    guard let seenIn else { return try Watermark.coming(at: moment, in: context) }
    return Watermark(seenUntil: moment, seenIn: seenIn)
  }
}
