internal import CPostgres

/// The owner of one piece of a COPY that libpq has allocated.
@safe final class CopyData {
  private let pointer: UnsafeMutablePointer<CChar>
  let count: Int

  /// Takes over the `count` bytes at `pointer`.
  @unsafe init(_ pointer: UnsafeMutablePointer<CChar>, count: Int) {
    unsafe self.pointer = pointer
    self.count = count
  }

  deinit {
    unsafe PQfreemem(pointer)
  }

  /// The bytes, for as long as this object lives.
  @unsafe var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: pointer, count: count)
  }
}
