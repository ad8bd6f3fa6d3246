internal import CNghttp2

extension ConnectionEvent {
  /// What the library tells, as a value of its own; nil for what nobody needs to know.
  init?(_ event: frames_event) {
    let stream = unsafe event.stream
    switch unsafe event.kind {
    case frames_settings: self = unsafe .settings(streams: Int(event.number))
    case frames_leaving: self = .leaving(stream: stream)
    case frames_kept: self = .kept(stream: stream)
    case frames_header: self = unsafe Self.header(event)
    case frames_body:
      self = unsafe .body(Array(bytes(event.value, event.value_length)), stream: stream)
    case frames_whole: self = .whole(stream: stream)
    case frames_ended: self = unsafe .streamEnded(stream: stream, ErrorCode(rawValue: event.number))
    case frames_go_away:
      self = unsafe .goAway(
        last: stream, ErrorCode(rawValue: event.number),
        reason: text(event.value, min(event.value_length, 512)))
    case frames_pong: self = .pong
    default: return nil
    }
  }

  private static func header(_ event: frames_event) -> ConnectionEvent {
    let name = unsafe text(event.name, event.name_length)
    let value = unsafe text(event.value, event.value_length)
    guard name == ":status" else {
      return unsafe .header(HeaderField(name, value), stream: event.stream)
    }
    return unsafe .status(Int(value) ?? 0, stream: event.stream)
  }
}

private func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
  unsafe UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
}

private func text(_ start: UnsafePointer<UInt8>?, _ count: Int) -> String {
  unsafe String(decoding: bytes(start, count), as: UTF8.self)
}
