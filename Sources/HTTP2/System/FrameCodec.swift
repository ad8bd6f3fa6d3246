internal import CNghttp2

/// The frames of one connection: bytes of the server become events, requests become bytes.
@safe final class FrameCodec {
  private let frames: OpaquePointer

  /// What has happened since somebody took it.
  private let heard: Heard

  /// Whether the library could not make bytes: what it would make next may be anything.
  private var isBroken = false

  /// Nil without nghttp2, or without memory.
  init?() {
    let heard = Heard()
    let opened = unsafe frames_open(hear, Unmanaged.passUnretained(heard).toOpaque())
    guard let frames = unsafe opened else { return nil }
    self.heard = heard
    unsafe self.frames = frames
  }

  deinit {
    unsafe frames_close(frames)
  }

  /// What has happened, in its order, once.
  func takeEvents() -> [ConnectionEvent] {
    defer { heard.events.removeAll(keepingCapacity: true) }
    return heard.events
  }

  /// Asks for a stream; returns its number, nil when the headers cannot be sent.
  func submit(_ request: Request, to origin: Origin) -> Int32? {
    let block = HeaderBlock(of: request, to: origin)
    let stream = unsafe block.text.withUnsafeBufferPointer { text in
      unsafe block.fields.withUnsafeBufferPointer { fields in
        unsafe request.body.withUnsafeBufferPointer { body in
          unsafe frames_request(
            frames, text.baseAddress, fields.baseAddress, fields.count, body.baseAddress, body.count
          )
        }
      }
    }
    return stream > 0 ? stream : nil
  }

  func reset(_ stream: Int32, _ code: ErrorCode) {
    unsafe frames_reset(frames, stream, code.rawValue)
  }

  func ping() {
    unsafe frames_ping(frames)
  }

  func sayGoAway() {
    unsafe frames_say_go_away(frames)
  }

  /// Reads bytes of the server; false when they are against the rules.
  func read(_ bytes: ArraySlice<UInt8>) -> Bool {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe frames_read(frames, bytes.baseAddress, bytes.count) == 0
    }
  }

  /// Adds bytes for the server to `buffer` until it has `most`, or there are no more.
  func write(to buffer: inout [UInt8], most: Int) {
    var bytes: UnsafePointer<UInt8>?
    while buffer.count < most {
      let count = unsafe frames_write(frames, &bytes)
      if count < 0 { isBroken = true }
      guard count > 0 else { return }
      unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
    }
  }

  /// Narrows `room` to what the server takes of bodies, but for as many bytes as are kept for those that wait.
  func narrow(_ room: inout Room, keeping kept: Int = 0) {
    (room.bytes, room.longest) = unsafe (frames_room(frames) - kept, frames_stream_room(frames))
  }

  /// Whether the headers of a request are bytes, and the rest of its body waits until the server has room for it.
  func waits(_ stream: Int32) -> Bool {
    unsafe frames_waits(frames, stream) == 1
  }

  /// Whether the library finds that the connection must end.
  var isDone: Bool {
    unsafe isBroken || frames_are_done(frames) == 1
  }
}

/// Where the library tells what happens.
private final class Heard {
  var events: [ConnectionEvent] = []
}

/// Called by the library, on the thread that reads or writes.
private func hear(_ context: UnsafeMutableRawPointer?, _ event: UnsafePointer<frames_event>?) {
  guard let context = unsafe context, let event = unsafe event?.pointee else { return }
  let heard = unsafe Unmanaged<Heard>.fromOpaque(context).takeUnretainedValue()
  if let event = unsafe ConnectionEvent(event) { heard.events.append(event) }
}
