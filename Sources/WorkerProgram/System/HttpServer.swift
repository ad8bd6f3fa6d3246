internal import CMicrohttpd
internal import Glibc
internal import JobKit
internal import Settings
internal import Web

/// What is answered to a request.
struct HttpAnswer: Sendable {
  var status = 200
  var type = "text/plain; charset=utf-8"
  let body: String

  /// Whether nothing more is read from the connection.
  var closes = false
}

/// A server of one thread, which answers GET and HEAD and nothing else.
///
/// It is bounded in everything: a connection that takes too long is closed, however busy it is, and when
/// there are too many the one that has waited longest. It belongs to the thread that runs it.
final class HttpServer {
  private let settings: HttpSettings
  private let answer: (_ path: String, _ wantsText: Bool) -> HttpAnswer
  private let told: (_ status: Int) -> Void
  private let refused: (_ caller: NetworkAddress) -> Void

  /// Since when somebody waits for the end of an answer, by the socket.
  private var waiting: [Int32: ContinuousClock.Instant] = [:]

  /// Whether a connection has ended since the server last looked who waits to be let in.
  private var hasRoom = false

  init(
    _ settings: HttpSettings,
    answering answer: @escaping (_ path: String, _ wantsText: Bool) -> HttpAnswer,
    telling told: @escaping (_ status: Int) -> Void,
    refusing refused: @escaping (_ caller: NetworkAddress) -> Void
  ) {
    (self.settings, self.answer) = (settings, answer)
    (self.told, self.refused) = (told, refused)
  }

  /// Whether this machine has the library that answers.
  static var isThere: Bool { http_is_there() != 0 }

  /// Answers whoever calls on `socket`, for as long as the process lives; returns when it cannot begin.
  func run(on socket: Int32) {
    let seconds = UInt32(settings.timeout.components.seconds)
    let me = unsafe Unmanaged.passUnretained(self).toOpaque()
    // A few more than there may be: the one that waited longest is closed a moment after the next came.
    guard
      let server = unsafe http_start(
        socket, UInt32(settings.connections) + 16, settings.mostBytes, seconds, hearCaller,
        hearRequest, hearConnection, hearEnd, me)
    else { return }
    var events = pollfd(fd: unsafe http_events(server), events: Int16(POLLIN), revents: 0)
    while true {
      // The server lets somebody in again only when it is run, and nothing wakes it for that.
      unsafe poll(&events, 1, hasRoom ? 0 : patience(http_patience(server)))
      hasRoom = false
      unsafe http_run(server)
      let end = ContinuousClock.now - settings.timeout
      for (socket, since) in waiting where since < end { hangUp(socket) }
    }
  }

  /// For how many milliseconds nothing needs to be done if nothing happens.
  private func patience(_ limit: UInt64) -> Int32 {
    if waiting.isEmpty, limit > UInt64(Self.glance) { return -1 }
    return Int32(min(limit, UInt64(Self.glance)))
  }

  /// How long somebody who takes too long may take beyond that.
  private static let glance: Int32 = 250

  /// Ends the talk; the server notices and frees what belongs to it.
  private func hangUp(_ socket: Int32) {
    waiting[socket] = nil
    shutdown(socket, Int32(SHUT_RDWR))
  }
}

extension HttpServer {
  /// Whether somebody is let in; who is not has cost no more than that.
  fileprivate func letsIn(_ caller: NetworkAddress) -> Bool {
    if settings.allows(caller) { return true }
    refused(caller.mapped ?? caller)
    return false
  }

  fileprivate func opened(_ socket: Int32) {
    if waiting.count >= settings.connections,
      let oldest = waiting.min(by: { $0.value < $1.value })?.key
    {
      hangUp(oldest)
    }
    waiting[socket] = .now
  }

  fileprivate func closed(_ socket: Int32) {
    hasRoom = true
    waiting[socket] = nil
  }

  /// A connection on which somebody was answered may be asked again.
  fileprivate func answered(_ socket: Int32) {
    if waiting[socket] != nil { waiting[socket] = .now }
  }

  /// What to answer; all but GET and HEAD are told that they are not.
  fileprivate func reply(to path: String, _ request: HttpRequest) -> HttpAnswer {
    let reply =
      request.refusal(on: settings.listen)
      ?? (Self.isAnswered(request.method)
        ? answer(path, request.accepted.hasPrefix("text/plain"))
        : HttpAnswer(status: 405, body: "only GET and HEAD are answered here\n"))
    told(reply.status)
    return reply
  }

  fileprivate static func isAnswered(_ method: String) -> Bool {
    method == "GET" || method == "HEAD"
  }
}

extension HttpAnswer {
  fileprivate func send(to connection: OpaquePointer) -> MHD_Result {
    var body = body
    return body.withUTF8 { bytes in
      unsafe http_answer(
        connection, UInt32(status), bytes.baseAddress, bytes.count, type,
        status == 405 ? "GET, HEAD" : nil, closes ? 1 : 0)
    }
  }
}

private func server(_ context: UnsafeMutableRawPointer?) -> HttpServer? {
  unsafe context.map { unsafe Unmanaged<HttpServer>.fromOpaque($0).takeUnretainedValue() }
}

/// Hears of a caller before there is anything to read; at a unix socket none has an address.
private let hearCaller: MHD_AcceptPolicyCallback = { context, address, length in
  guard let server = unsafe server(context), let address = unsafe address else { return .NO }
  var bytes = [UInt8](repeating: 0, count: 16)
  let count = unsafe Int(http_caller(address, length, &bytes))
  guard let caller = NetworkAddress(bytes: Array(bytes.prefix(count))) else { return .YES }
  return server.letsIn(caller) ? .YES : .NO
}

/// Hears of a request: first when its headers are there, then of its body, and last when it is complete.
private let hearRequest: MHD_AccessHandlerCallback = {
  context, connection, url, method, _, _, size, state in
  guard let server = unsafe server(context), let connection = unsafe connection,
    let url = unsafe url, let method = unsafe method, let size = unsafe size,
    let state = unsafe state
  else { return .NO }
  let (path, word) = unsafe (String(cString: url), String(cString: method))
  let request = unsafe HttpRequest(word, on: connection)
  // What is not GET, or cannot be trusted, is answered before its body, which is then not read.
  if unsafe state.pointee == nil, HttpServer.isAnswered(word), !request.isAmbiguous {
    unsafe state.pointee = unsafe context
    return .YES
  }
  guard unsafe size.pointee == 0 else {
    unsafe size.pointee = 0
    return .YES
  }
  return unsafe server.reply(to: path, request).send(to: connection)
}

private let hearConnection: MHD_NotifyConnectionCallback = { context, connection, _, code in
  guard let server = unsafe server(context), let connection = unsafe connection else { return }
  let socket = unsafe http_socket(connection)
  http_begins(code) != 0 ? server.opened(socket) : server.closed(socket)
}

private let hearEnd: MHD_RequestCompletedCallback = { context, connection, _, _ in
  guard let server = unsafe server(context), let connection = unsafe connection else { return }
  server.answered(unsafe http_socket(connection))
}
