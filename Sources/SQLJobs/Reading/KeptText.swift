internal import Config
internal import JobKit

extension SQLJob {
  /// Reads the job by the text that the ledger has kept with a run.
  func again(from text: String) throws -> any SQLJob {
    let document = TomlDocument(text)
    let name = definition.name
    var reader = SQLSettingsReader(
      name: name, kind: .delete, table: TableReader(document.root, file: "jobkit.job_text"),
      position: SourcePosition(line: 1, column: 1))
    guard document.faults.isEmpty, case .string(let word)? = reader.table["kind"],
      let kind = SQLJobKind(rawValue: word)
    else { throw UnreadableText(job: name, reason: document.faults.first?.sentence) }
    reader = SQLSettingsReader(
      name: name, kind: kind, table: reader.table, position: reader.position)
    guard let job = kind.read(from: &reader) else {
      throw UnreadableText(job: name, reason: reader.table.problems.first.map { "\($0)" })
    }
    return job
  }
}

/// A run began by a text that another version of this program wrote.
struct UnreadableText: Error, Equatable, CustomStringConvertible {
  let job: JobName
  let reason: String?

  var description: String {
    "the run began by a text of [jobs.\(job)] that this program cannot read"
      + (reason.map { " (\($0))" } ?? "")
      + ": 'worker run \(job)' does the work by the text of the settings, from its beginning"
  }
}
