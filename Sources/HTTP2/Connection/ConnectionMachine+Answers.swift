/// How requests end one by one.
extension ConnectionMachine {
  mutating func noteLeaving(_ stream: Int32) {
    guard streams[stream] != nil else { return }
    streams[stream]?.hasLeft = true
    actions.append(.noteLeaving(stream: stream))
  }

  mutating func take(_ header: HeaderField, of stream: Int32) {
    let most = limits.headers
    streams[stream]?.take(header, most: most)
  }

  mutating func take(_ bytes: [UInt8], of stream: Int32) {
    let most = limits.body
    guard let fits = streams[stream]?.take(bytes, most: most), !fits else { return }
    // The status says what became of the request; the rest of a text without end is not waited for.
    actions.append(.reset(stream: stream, .cancel))
    endStream(stream, .cancel)
  }

  mutating func finish(_ stream: Int32) {
    guard let open = remove(stream) else { return }
    guard var answer = open.answer else {
      return end(stream, open, .uncertain(.lost(.outOfRules)))
    }
    answer.isWhole = true
    end(stream, open, .answered(answer))
  }

  /// Ends a stream that was broken off: only one code says that the server did not work on it.
  mutating func endStream(_ stream: Int32, _ code: ErrorCode) {
    guard let open = remove(stream) else { return }
    if open.answer == nil, code == .refusedStream || !open.hasLeft {
      actions.append(.giveBack(stream: stream))
    } else {
      end(stream, open, open.end(otherwise: .reset(code)))
    }
  }

  /// The library could not make it into bytes.
  mutating func giveBack(_ stream: Int32) {
    guard let open = streams[stream], !open.hasLeft else { return }
    _ = remove(stream)
    actions.append(.giveBack(stream: stream))
  }

  mutating func end(_ stream: Int32, _ open: OpenStream, _ end: End) {
    if case .answered(let answer) = end {
      heartbeat.hearAnswer()
      if answer.acceptsToken { acceptedToken = max(acceptedToken ?? open.token, open.token) }
      if !hasAnswered { actions.append(.proved) }
      hasAnswered = true
    }
    actions.append(.end(stream: stream, end))
  }

  mutating func remove(_ stream: Int32) -> OpenStream? {
    if provingStream == stream { provingStream = nil }
    halfSent[stream] = nil
    return streams.removeValue(forKey: stream)
  }
}
