/// The bytes that a connection writes next, and the requests that are in them.
///
/// They are few: a process that is killed between the mark of its requests in a journal and their write leaves all of
/// them uncertain in vain.
struct Outgoing {
  private(set) var bytes: [UInt8] = []
  private var written = 0

  /// The requests among the bytes of which no journal knows yet that they leave.
  private var unmarked: [UInt64] = []

  /// How many bytes are made at once, where no request is waited for.
  private static let most = 2 * 1024

  /// What is not written yet.
  var rest: ArraySlice<UInt8> { bytes[written...] }

  var isWritten: Bool { written == bytes.count }

  /// Makes a request into bytes; returns its stream, nil when that cannot be done.
  ///
  /// Its body comes right behind its headers. The library would send the headers of all first: who is killed before the
  /// bodies leaves requests that have left, and that no server has.
  mutating func add(_ request: Request, to origin: Origin, by codec: FrameCodec) -> Int32? {
    let stream = codec.submit(request, to: origin)
    if stream != nil { codec.write(to: &bytes, most: .max) }
    return stream
  }

  /// Makes what else there is for the server into bytes, when all before is written.
  mutating func refill(by codec: FrameCodec) {
    guard isWritten else { return }
    bytes.removeAll(keepingCapacity: true)
    written = 0
    codec.write(to: &bytes, most: Self.most)
  }

  /// Remembers that a request is among the bytes.
  mutating func note(_ id: UInt64) {
    unmarked.append(id)
  }

  /// The requests that leave with the next write for the first time, once.
  mutating func takeUnmarked() -> [UInt64] {
    defer { unmarked.removeAll(keepingCapacity: true) }
    return unmarked
  }

  mutating func advance(by count: Int) {
    written += count
  }
}
