/// A table that a job works with, and what it does there.
public struct TableNeed: Sendable, Hashable {
  /// Its name with that of its schema, as in `learning.users`.
  public let table: String

  /// As in a GRANT: `SELECT`, or `UPDATE (state, reason)` where some columns suffice.
  public let rights: [String]

  public init(_ table: String, _ rights: [String]) {
    (self.table, self.rights) = (table, rights)
  }
}

extension TableNeed {
  /// A right to each column by itself; a right to the whole table has the empty name of a column.
  var pieces: [(right: String, column: String)] { rights.flatMap(Self.pieces) }

  private static func pieces(of right: String) -> [(right: String, column: String)] {
    let words = right.split { " (,)".contains($0) }.map(String.init)
    guard let kind = words.first, words.count > 1 else { return [(right, "")] }
    return words.dropFirst().map { (kind, $0) }
  }

  /// The name of its schema, and its own.
  var place: (schema: String, name: String) {
    let words = table.split(separator: ".", maxSplits: 1).map(String.init)
    return words.count == 2 ? (words[0], words[1]) : ("public", table)
  }
}
