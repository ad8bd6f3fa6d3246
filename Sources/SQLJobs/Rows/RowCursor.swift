internal import JobKit
internal import Migrations

/// How far a part has come through its rows, and by which text of the job.
struct RowCursor: Equatable {
  /// What tells one text of a job from another.
  let text: String

  /// The key of the last row that was looked at; nothing before the first.
  var key: String?

  /// Goes on from what a chunk has saved; throws when that was by another text.
  ///
  /// The rows before the cursor were chosen by one condition: those behind it are not chosen by another.
  init(of job: RowJob, in progress: Progress) throws(TextChanged) {
    text = job.textHash
    guard let saved = progress.cursor else { return }
    let words = saved.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count == 2, words[0] == text else { throw TextChanged(job: job.definition.name) }
    key = String(words[1])
  }

  /// As it is saved with a chunk.
  var saved: String? { key.map { "\(text) \($0)" } }
}

extension RowJob {
  /// What is the same as long as a run does the same.
  fileprivate var textHash: String {
    let parts = [
      table.words, table.key.joined(separator: ","), condition.sql, change.text?.sql ?? "",
    ]
    return String(StableHash.of(parts.joined(separator: "\0")), radix: 16)
  }
}

/// A part began under a text of the settings that has been changed since.
struct TextChanged: Error, Equatable, CustomStringConvertible {
  let job: JobName

  var description: String {
    "the part began with another text of [jobs.\(job)] and does not go on with this one:"
      + " 'worker run \(job)' does the work by this one, from its beginning"
  }
}
