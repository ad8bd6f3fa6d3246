import Testing

@testable import HTTP2

/// The bytes that a connection writes next.
struct OutgoingTests {
  private let origin = Origin(host: "push.example")
  private let start = ContinuousClock.now

  private func request(_ id: UInt64, body: Int = 100) -> Request {
    Request(
      id: id, path: "/3/device/\(id)", headers: [], body: Array(repeating: 120, count: body))
  }

  /// The kinds of the frames that carry requests, each with its stream.
  private func frames(of output: Outgoing) -> [String] {
    // What a client says first is no frame.
    var rest = output.rest.dropFirst("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8.count)
    var frames: [String] = []
    while rest.count >= 9 {
      let head = Array(rest.prefix(9))
      let length = head[0..<3].reduce(0) { $0 << 8 | Int($1) }
      let stream = head[5..<9].reduce(0) { $0 << 8 | Int($1) }
      if head[3] <= 1 { frames.append("\(head[3] == 1 ? "headers" : "body") of \(stream)") }
      rest = rest.dropFirst(9 + length)
    }
    return frames
  }

  @Test func `a request's body comes right behind its headers`() throws {
    let codec = try #require(FrameCodec())
    var output = Outgoing()

    let streams = (1...3).map {
      output.add(request($0), to: origin, by: codec, taken: start)
    }

    #expect(streams == [1, 3, 5])
    #expect(
      frames(of: output) == [
        "headers of 1", "body of 1", "headers of 3", "body of 3", "headers of 5", "body of 5",
      ])
  }

  @Test func `a body for which the server has no room yet waits, and nothing else does`() throws {
    let codec = try #require(FrameCodec())
    var output = Outgoing()

    for id in 1...2 {
      _ = output.add(
        request(UInt64(id), body: 65_535), to: origin, by: codec, taken: start)
    }

    let sent = frames(of: output)
    #expect(sent.filter { $0.hasPrefix("headers") } == ["headers of 1", "headers of 3"])
    #expect(!sent.contains("body of 3"))
  }

  @Test func `what a server has room for is less by what it was sent`() throws {
    let codec = try #require(FrameCodec())
    var output = Outgoing()
    var room = Room(streams: 1, token: nil, mayProve: true)
    _ = output.add(request(1), to: origin, by: codec, taken: start)

    codec.narrow(&room)
    #expect(room.bytes == 65_435 && room.longest == 65_535)
  }

  @Test func `a request is told to the journal once`() {
    var output = Outgoing()
    output.note(7, as: 1)
    output.note(8, as: 3)

    #expect(output.unmarked.map(\.id) == [7, 8])
    output.mark()
    #expect(output.unmarked.isEmpty)
  }

  @Test func `requests may leave until five seconds after the first of them was asked for`() throws
  {
    let codec = try #require(FrameCodec())
    var output = Outgoing()
    #expect(output.mayLeave(at: start + .seconds(3600)))
    for seconds in [0, 3] {
      _ = output.add(
        request(UInt64(seconds)), to: origin, by: codec, taken: start + .seconds(seconds))
    }

    #expect(output.mayLeave(at: start + .seconds(5)))
    #expect(!output.mayLeave(at: start + .milliseconds(5_001)))
    output.advance(by: output.rest.count - 1)
    #expect(!output.mayLeave(at: start + .milliseconds(5_001)))
    output.advance(by: 1)
    #expect(output.mayLeave(at: start + .seconds(3600)))
  }

  @Test func `nothing is made anew while something is not written`() throws {
    let codec = try #require(FrameCodec())
    var output = Outgoing()
    #expect(output.add(request(1), to: origin, by: codec, taken: start) == 1)
    let all = output.rest.count

    output.advance(by: 1)
    output.refill(by: codec)
    #expect(output.rest.count == all - 1)

    output.advance(by: all - 1)
    codec.ping()
    output.refill(by: codec)
    #expect(output.rest.count == 17)
  }
}
