internal import CCurl

/// A POST that is sent once at most, and whose answer is read up to a bound.
///
/// Where libcurl could send it a second time it gives up instead, so that who asks learns whether it may have been
/// received.
public struct WebExchange: Sendable {
  /// What a server answered.
  public struct Answer: Sendable, Equatable {
    public let status: Int

    /// What followed, or the beginning of it.
    public let body: [UInt8]

    /// The header `retry-after`.
    public let retryAfter: String?
  }

  /// Why there is no answer.
  public enum Failure: Error, Sendable, Equatable {
    /// Nothing has left that a server could act upon.
    case notSent(String)

    /// It left, or may have.
    case uncertain(String)

    /// The connection stood, and who was asked whether it may leave said no.
    case kept
  }

  /// Where it goes; a secret as far as who asks is concerned.
  private let url: String

  /// Headers as name and value.
  private let headers: [(name: String, value: String)]
  private let body: [UInt8]
  private let limit: Duration
  private let longestAnswer: Int
  private let authorities: String?
  private let mayLeave: (@Sendable () -> Bool)?

  /// A POST of `body` to `url`, which takes `limit` at most; of its answer no more than so many bytes are read.
  ///
  /// The certificates of `authorities` are believed instead of those of this machine, if they are given. When the
  /// connection stands it is asked whether the request may leave: to make it may have taken long.
  public init(
    _ body: [UInt8], to url: String, headers: [(name: String, value: String)],
    within limit: Duration, readingAtMost longestAnswer: Int = 16_384,
    believing authorities: String? = nil, if mayLeave: (@Sendable () -> Bool)? = nil
  ) {
    (self.url, self.headers, self.body) = (url, headers, body)
    (self.limit, self.longestAnswer, self.authorities) = (limit, longestAnswer, authorities)
    self.mayLeave = mayLeave
  }

  /// Sends it on the calling thread, to whatever address the name of the URL has.
  public func send() throws(Failure) -> Answer { try send(pinned: nil) }

  /// Sends it to one of these addresses, whatever the name of the URL stands for by now, and by no proxy.
  ///
  /// A host that is an address stands for itself: libcurl takes none of IPv6 for a name that leads elsewhere.
  public func send(
    to addresses: [String], of host: String, port: Int
  ) throws(Failure) -> Answer {
    let isAddress = NetworkAddress(host) != nil
    return try send(
      pinned: isAddress ? "" : "\(host):\(port):\(addresses.joined(separator: ","))")
  }

  /// Sends it as that entry says, to the address in the URL when it says nothing; by whatever way without one.
  private func send(pinned entry: String?) throws(Failure) -> Answer {
    guard WebRequest.isStarted else { throw .notSent(WebFailure.noLibrary.description) }
    guard let request = unsafe ccurl_open() else { throw .notSent("libcurl has no memory") }
    defer { unsafe ccurl_close(request) }
    var lines = unsafe ccurl_header("Expect:")
    for header in headers {
      unsafe lines = ccurl_another_header(lines, "\(header.name): \(header.value)")
    }
    let pins = unsafe entry.flatMap { $0.isEmpty ? nil : unsafe ccurl_header($0) }
    defer {
      unsafe ccurl_free(lines)
      unsafe ccurl_free(pins)
    }
    let codes =
      unsafe options(of: request) + [
        ccurl_set_headers(request, lines),
        ccurl_set_text(request, CURLOPT_PROTOCOLS_STR, entry == nil ? "http,https" : "https"),
        entry == nil ? CURLE_OK : ccurl_pin(request, pins),
      ]
    if let code = codes.first(where: { $0 != CURLE_OK }) { throw .notSent(Self.reason(code)) }
    return try unsafe perform(request)
  }

  /// Why a request cannot be made.
  private static func reason(_ code: CURLcode) -> String {
    code == CURLE_SSL_CACERT_BADFILE
      ? WebRequest.words(for: code) : WebFailure.unusable.description
  }

  private func options(of request: UnsafeMutableRawPointer) -> [CURLcode] {
    unsafe [
      ccurl_set_text(request, CURLOPT_URL, url),
      ccurl_set_number(request, CURLOPT_SSL_VERIFYPEER, 1),
      ccurl_set_number(request, CURLOPT_SSL_VERIFYHOST, 2),
      authorities.map { unsafe ccurl_believe(request, $0) } ?? CURLE_OK,
      ccurl_set_number(request, CURLOPT_FOLLOWLOCATION, 0),
      ccurl_set_text(request, CURLOPT_USERAGENT, "worker"),
      // Without it libcurl would interrupt a name server that hangs by a signal, in whatever thread.
      ccurl_set_number(request, CURLOPT_NOSIGNAL, 1),
      ccurl_set_number(request, CURLOPT_TIMEOUT_MS, Int(limit / .milliseconds(1))),
      ccurl_set_number(request, CURLOPT_CONNECTTIMEOUT_MS, 10_000),
    ]
  }

  private func perform(_ request: UnsafeMutableRawPointer) throws(Failure) -> Answer {
    var room = [UInt8](repeating: 0, count: longestAnswer)
    var exchange = unsafe ccurl_exchange()
    let outcome = unsafe post(request, of: &exchange, into: &room)
    guard outcome != CURLE_ABORTED_BY_CALLBACK else { throw .kept }
    // An answer that is too long is cut: its status stands.
    guard unsafe outcome == CURLE_OK || exchange.is_cut == 1 else {
      let words = WebRequest.words(for: outcome)
      let hasLeft = unsafe ccurl_sent(request) > 0
      throw Self.isSurelyUnsent(outcome, hasLeft: hasLeft) ? .notSent(words) : .uncertain(words)
    }
    let wait = unsafe withUnsafePointer(to: &exchange.retry_after) { tuple in
      unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 64) { unsafe String(cString: $0) }
    }
    return unsafe Answer(
      status: ccurl_status(request), body: Array(room[..<exchange.answered]),
      retryAfter: wait.isEmpty ? nil : wait)
  }

  /// Posts the body, and keeps what of the answer there is room for.
  private func post(
    _ request: UnsafeMutableRawPointer, of exchange: inout ccurl_exchange, into room: inout [UInt8]
  ) -> CURLcode {
    let gate = mayLeave.map(Gate.init)
    defer { withExtendedLifetime(gate) {} }
    if let gate {
      unsafe exchange.may_leave = askGate
      unsafe exchange.context = Unmanaged.passUnretained(gate).toOpaque()
    }
    return unsafe body.withUnsafeBufferPointer { body in
      unsafe room.withUnsafeMutableBufferPointer { room in
        unsafe exchange.body = body.baseAddress
        unsafe exchange.count = body.count
        unsafe exchange.answer = room.baseAddress
        unsafe exchange.room = room.count
        return unsafe withUnsafeMutablePointer(to: &exchange) { exchange in
          let code = unsafe ccurl_post_once(request, exchange)
          return unsafe code == CURLE_OK ? ccurl_perform(request) : code
        }
      }
    }
  }

  /// Whether a failure comes before the first byte of a request; a time limit does when none has left.
  private static func isSurelyUnsent(_ code: CURLcode, hasLeft: Bool) -> Bool {
    switch code {
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT,
      CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_FAILED_INIT, CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL,
      CURLE_SETOPT_OPTION_SYNTAX, CURLE_UNKNOWN_OPTION:
      true
    case CURLE_OPERATION_TIMEDOUT: !hasLeft
    default: false
    }
  }
}

/// Who is asked whether a request may leave.
private final class Gate: Sendable {
  let mayLeave: @Sendable () -> Bool

  init(_ mayLeave: @escaping @Sendable () -> Bool) { self.mayLeave = mayLeave }
}

/// Called by libcurl, on the thread that sends.
private func askGate(_ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let context = unsafe context else { return 0 }
  return unsafe Unmanaged<Gate>.fromOpaque(context).takeUnretainedValue().mayLeave() ? 1 : 0
}
