internal import CMicrohttpd
internal import JobKit
internal import Settings

/// What the headers of a request say.
struct HttpRequest {
  let method: String
  let accepted: String

  /// Whether two servers could disagree about where the request ends, and so about what is asked next.
  let isAmbiguous: Bool

  /// By which name the caller knows this server; nothing in a request of HTTP/1.0.
  private let host: String?

  @unsafe init(_ method: String, on connection: OpaquePointer) {
    func header(_ name: String) -> String? {
      unsafe http_header(connection, name).map { unsafe String(cString: $0) }
    }
    self.method = method
    accepted = header("Accept") ?? ""
    host = header("Host")
    let lengths = unsafe http_header_count(connection, "Content-Length")
    let hosts = unsafe http_header_count(connection, "Host")
    isAmbiguous =
      lengths > 1 || header("Content-Length")?.contains(",") == true
      || lengths > 0 && header("Transfer-Encoding") != nil || hosts > 1
  }

  /// Why the request is not answered at this address, or nil when it is.
  ///
  /// A page in a browser reaches this server under a name of its own, which its owner has made point there: what it
  /// then reads is sent away. It cannot change the name that the browser sends, and a number is no such name: probes
  /// and Prometheus ask by one where other machines may ask. No page reaches a unix socket.
  func refusal(on address: HttpAddress?) -> HttpAnswer? {
    guard !isAmbiguous else {
      return HttpAnswer(
        status: 400, body: "two lengths or two hosts in one request are refused\n", closes: true)
    }
    if case .unix = address { return nil }
    let takesNumbers = address?.isForOthers ?? false
    guard let host, !Self.isMeant(host, takesNumbers) else { return nil }
    let names =
      takesNumbers
      ? "a host that is an IP address or localhost is" : "127.0.0.1, [::1] and localhost are"
    return HttpAnswer(status: 421, body: "only \(names) answered here\n", closes: true)
  }

  private static func isMeant(_ host: String, _ takesNumbers: Bool) -> Bool {
    let end = host.lastIndex(of: ":").map { colon in
      let port = host[host.index(after: colon)...]
      return port.allSatisfy { $0.isASCII && $0.isNumber } ? colon : host.endIndex
    }
    let name = host[..<(end ?? host.endIndex)].lowercased()
    return ["127.0.0.1", "[::1]", "localhost"].contains(name)
      || takesNumbers && HttpAddress.host(name) != nil
  }
}
