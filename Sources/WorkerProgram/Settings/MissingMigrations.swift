/// The migrations of one schema that a database lacks.
struct MissingMigrations {
  let schema: String

  /// Their versions, in order.
  let versions: [Int]
}

extension MissingMigrations: CustomStringConvertible {
  /// The schema and its versions, those in a row as one: `jobkit 1–8, 10`.
  var description: String {
    var rows: [ClosedRange<Int>] = []
    for version in versions {
      if let last = rows.last, last.upperBound == version - 1 {
        rows[rows.count - 1] = last.lowerBound...version
      } else {
        rows.append(version...version)
      }
    }
    let words = rows.map { row in
      row.count == 1 ? "\(row.lowerBound)" : "\(row.lowerBound)–\(row.upperBound)"
    }
    return "\(schema) \(words.joined(separator: ", "))"
  }
}

/// The schemas in the database are older than this program.
struct SchemaBehind: Error, CustomStringConvertible {
  let missing: [MissingMigrations]

  /// As in `2 migrations are missing (jobkit 8, learning 32): run 'worker migrate up'`.
  var description: String {
    let count = missing.reduce(0) { $0 + $1.versions.count }
    let names = missing.map(\.description).joined(separator: ", ")
    return "\(count == 1 ? "1 migration is" : "\(count) migrations are") missing (\(names)):"
      + " run 'worker migrate up'"
  }
}

extension SchemaBehind: EndingError {
  var exitCode: ExitCode { .refusedForNow }
}
