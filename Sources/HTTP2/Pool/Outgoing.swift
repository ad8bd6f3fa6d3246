/// The bytes that a connection writes next, and the requests that are in them.
///
/// They are few: a process that is killed between the mark of its requests in a journal and their write leaves all of
/// them uncertain in vain.
struct Outgoing {
  private(set) var bytes: [UInt8] = []
  private var written = 0

  /// The requests among the bytes of which no journal knows yet that they leave, by their streams.
  private(set) var unmarked: [(stream: Int32, id: UInt64)] = []

  /// When the requests among the bytes were asked for, or the clock whether the rest of them may leave; nil when none
  /// are among them.
  private var since: ContinuousClock.Instant?

  /// How many bytes are made at once, where no request is waited for.
  private static let most = 2 * 1024

  /// What is not written yet.
  var rest: ArraySlice<UInt8> { bytes[written...] }

  var isWritten: Bool { written == bytes.count }

  /// Whether the bytes may be written at `now`: where the process stood still in between, a request among them may leave
  /// no more, as by now it may be somebody's night, and others hold it for lost.
  func mayLeave(at now: ContinuousClock.Instant) -> Bool {
    since.map { now - $0 <= .seconds(5) } ?? true
  }

  /// Makes a request that was asked for at `taken` into bytes; returns its stream, nil when that cannot be done.
  ///
  /// Its body comes right behind its headers. The library would send the headers of all first: who is killed before the
  /// bodies leaves requests that have left, and that no server has.
  mutating func add(
    _ request: Request, to origin: Origin, by codec: FrameCodec, taken: ContinuousClock.Instant
  ) -> Int32? {
    guard let stream = codec.submit(request, to: origin) else { return nil }
    since = since ?? taken
    codec.write(to: &bytes, most: .max)
    return stream
  }

  /// Makes what else there is for the server into bytes, when all before is written.
  ///
  /// Among it may be the rest of requests of which it was asked at `looked` whether they may still leave.
  mutating func refill(by codec: FrameCodec, looked: ContinuousClock.Instant? = nil) {
    guard isWritten else { return }
    bytes.removeAll(keepingCapacity: true)
    written = 0
    codec.write(to: &bytes, most: Self.most)
    if !isWritten { since = looked }
  }

  /// Remembers that a request is among the bytes.
  mutating func note(_ id: UInt64, as stream: Int32) {
    unmarked.append((stream, id))
  }

  /// A journal knows of all that they leave.
  mutating func mark() {
    unmarked.removeAll(keepingCapacity: true)
  }

  mutating func advance(by count: Int) {
    written += count
    if isWritten { since = nil }
  }
}
