/// One row of a COPY in the binary format, as it is written.
///
/// It has the bytes that were collected before it, which the feed cannot be asked for each value: that would be
/// looked at for another who has them at the same time.
public struct CopyRow: ~Copyable {
  @usableFromInline var bytes: [UInt8]
  private let start: Int

  /// How many values it has; no more are added to it after one that cannot be sent.
  @usableFromInline var count = 0
  @usableFromInline var problem: ValueProblem?

  init(after bytes: consuming [UInt8]) {
    start = bytes.count
    self.bytes = bytes
    self.bytes.append(bigEndian: Int16(0))
  }

  /// Adds the value of the next column, of exactly its type.
  @inlinable
  public mutating func append(_ value: some PostgresValue) {
    guard problem == nil else { return }
    count += 1
    do throws(ValueProblem) {
      try bytes.append(sized: value)
    } catch {
      problem = error
    }
  }

  /// What is collected with it, or without it when one of its values cannot be sent.
  consuming func end() -> [UInt8] {
    if problem == nil {
      bytes.store(bigEndian: Int16(truncatingIfNeeded: count), at: start)
    } else {
      bytes.removeSubrange(start...)
    }
    return bytes
  }
}
