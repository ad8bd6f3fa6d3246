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
  public func write<each Value: PostgresValue>(
    _ values: repeat each Value
  ) throws(PostgresError) {
    try feed.collect { bytes throws(PostgresError) in
      let start = bytes.count
      bytes.append(bigEndian: Int16(0))
      var count = 0
      for value in repeat each values {
        count += 1
        do throws(ValueProblem) {
          try bytes.append(sized: value)
        } catch {
          throw PostgresError(error, parameter: count, of: statement)
        }
      }
      bytes[start] = UInt8(truncatingIfNeeded: count >> 8)
      bytes[start + 1] = UInt8(truncatingIfNeeded: count)
    }
  }

  /// Writes the mark that ends the rows.
  func writeEnd() throws(PostgresError) {
    try feed.send([0xff, 0xff])
  }
}
