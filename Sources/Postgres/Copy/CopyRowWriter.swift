/// Writes the rows of a COPY in the binary format.
public struct CopyRowWriter {
  private let feed: CopyFeed
  private let statement: Statement

  /// The signature, no flags, and no extension of the header.
  private static let header: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0x00] + [UInt8](repeating: 0, count: 8)

  /// Writes to `feed` for the COPY `statement`.
  init(_ feed: CopyFeed, _ statement: Statement) throws(PostgresError) {
    self.feed = feed
    self.statement = statement
    try feed.send(Self.header)
  }

  /// Writes one row: as many values as there are columns, each of exactly the type of its column.
  @inlinable
  public func write<each Value: PostgresValue>(
    _ values: repeat each Value
  ) throws(PostgresError) {
    try write { row in
      for value in repeat each values { row.append(value) }
    }
  }

  /// Writes one row of the values that `fill` appends, for many rows: each is appended as what it is known to be.
  @inlinable
  public func write(_ fill: (inout CopyRow) -> Void) throws(PostgresError) {
    var row = beginRow()
    fill(&row)
    try end(row)
  }

  @usableFromInline
  func beginRow() -> CopyRow {
    CopyRow(after: feed.takeCollected())
  }

  /// Sends a row, or leaves it out when one of its values cannot be sent.
  @usableFromInline
  func end(_ row: consuming CopyRow) throws(PostgresError) {
    let (count, problem) = (row.count, row.problem)
    try feed.putBack(row.end())
    if let problem { throw PostgresError(problem, parameter: count, of: statement) }
  }

  /// Writes the mark that ends the rows.
  func writeEnd() throws(PostgresError) {
    try feed.send([0xff, 0xff])
  }
}
