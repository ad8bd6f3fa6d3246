/// The memory of one row of a COPY in the binary format.
final class CopiedRow: RowSource {
  private let data: CopyData

  /// Where the number of fields stands; the first piece of a COPY has a header before it.
  private let start: Int

  /// The signature, the flags and the size of the extension, which is empty.
  static let headerSize = 19

  init(_ data: CopyData, columns: Columns, isFirst: Bool) {
    self.data = data
    start = isFirst ? Self.headerSize : 0
    super.init(columns: columns)
  }

  /// The number of fields; -1 in the mark that ends the rows.
  var fieldCount: Int {
    guard data.count >= start + 2 else { return -1 }
    return Int(unsafe data.bytes.bytes.integer(at: start, as: Int16.self))
  }

  @unsafe override func bytes(
    row: Int, column: Int
  ) throws(ValueProblem) -> UnsafeRawBufferPointer? {
    let bytes = unsafe data.bytes
    var offset = start + 2
    var size = 0
    for _ in 0...column {
      offset += max(size, 0)
      guard offset + 4 <= bytes.count else { throw .invalid("the row ends before it") }
      size = Int(unsafe bytes.bytes.integer(at: offset, as: Int32.self))
      offset += 4
    }
    guard size >= 0 else { return nil }
    guard offset + size <= bytes.count else { throw .invalid("the row ends in it") }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + size)])
  }
}
