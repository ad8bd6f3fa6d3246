package import Config
package import JobKit

/// What the settings can have a job do in SQL: the words of `kind`.
package enum SQLJobKind: String, CaseIterable, SettingsJobKind {
  /// Deletes the rows that match.
  case delete
  /// Gives columns of the rows that match new values.
  case set
  /// Runs a statement that names the keys of the rows that match.
  case statement
  /// Counts groups of rows anew of which rows are new.
  case rollUp = "roll_up"
  /// Drops the partitions of a table that are old enough.
  case dropPartitions = "drop_partitions"

  package var word: String { rawValue }

  package func read(
    _ name: JobName, from table: inout TableReader, at position: SourcePosition
  ) -> (any SettingsJob)? {
    var reader = SQLSettingsReader(name: name, kind: self, table: table, position: position)
    defer { table = reader.table }
    reader.requirePolicies()
    return read(from: &reader)
  }

  /// Reads what the settings say of the work of the job, and nothing of when it works.
  func read(from reader: inout SQLSettingsReader) -> (any SQLJob)? {
    let job: (any SQLJob)? =
      switch self {
      case .delete, .set, .statement: reader.readRowJob()
      case .rollUp: reader.readRollUp()
      case .dropPartitions: reader.readPartitionJob()
      }
    reader.forbidOtherKinds()
    return job
  }
}

extension SQLJobKind {
  /// The settings of a job of this kind that are its alone, in the order in which they are listed.
  var keys: [String] { Self.keys.filter { $0.kinds.contains(self) }.map(\.name) }

  /// Each setting of the work of jobs, with the kinds that have it.
  static let keys: [(name: String, kinds: [SQLJobKind])] = [
    ("table", allCases), ("into", [.rollUp]), ("key", rows + [.rollUp]), ("by", [.rollUp]),
    ("where", rows), ("set", [.set]), ("statement", [.statement]), ("select", [.rollUp]),
    ("changed", [.rollUp]), ("lookback", [.rollUp]), ("older_than", [.dropPartitions]),
    ("count", rows), ("check", rows + [.rollUp]), ("chunk", rows + [.rollUp]),
    ("most_share", rows), ("explain", rows), ("sql_role", allCases),
    ("backfill", rows),
  ]

  private static let rows: [SQLJobKind] = [.delete, .set, .statement]
}
