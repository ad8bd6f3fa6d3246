internal import CCurl

/// One request to a web server, by libcurl: sent once, its answer's status read, its text forgotten.
///
/// TLS is verified, and nothing is followed to another address: what is sent is for one receiver.
public struct WebRequest: Sendable {
  private let url: String
  private let json: String?
  private let limit: Duration

  private init(url: String, json: String?, limit: Duration) {
    (self.url, self.json, self.limit) = (url, json, limit)
  }

  /// A GET of `url`, which takes `limit` at most.
  public static func get(_ url: String, within limit: Duration) -> WebRequest {
    WebRequest(url: url, json: nil, limit: limit)
  }

  /// A POST of a JSON document to `url`, which takes `limit` at most.
  public static func post(_ json: String, to url: String, within limit: Duration) -> WebRequest {
    WebRequest(url: url, json: json, limit: limit)
  }

  /// Sends it on the calling thread; returns the status of the answer, such as 200.
  public func send() throws(WebFailure) -> Int {
    guard Self.isStarted else { throw .noLibrary }
    guard let request = unsafe ccurl_open() else { throw .unusable }
    defer { unsafe ccurl_close(request) }
    let headers = unsafe ccurl_header("Content-Type: application/json")
    defer { unsafe ccurl_free(headers) }
    var codes = unsafe [
      ccurl_set_text(request, CURLOPT_URL, url),
      ccurl_set_text(request, CURLOPT_PROTOCOLS_STR, "http,https"),
      ccurl_set_number(request, CURLOPT_SSL_VERIFYPEER, 1),
      ccurl_set_number(request, CURLOPT_SSL_VERIFYHOST, 2),
      ccurl_set_number(request, CURLOPT_FOLLOWLOCATION, 0),
      ccurl_set_text(request, CURLOPT_USERAGENT, "worker"),
      // Without it libcurl would interrupt a name server that hangs by a signal, in whatever thread.
      ccurl_set_number(request, CURLOPT_NOSIGNAL, 1),
      ccurl_set_number(request, CURLOPT_TIMEOUT_MS, Int(limit / .milliseconds(1))),
      ccurl_ignore_answer(request),
    ]
    if let json {
      unsafe codes.append(ccurl_set_number(request, CURLOPT_POSTFIELDSIZE, json.utf8.count))
      unsafe codes.append(ccurl_set_text(request, CURLOPT_COPYPOSTFIELDS, json))
      unsafe codes.append(ccurl_set_headers(request, headers))
    }
    guard codes.allSatisfy({ $0 == CURLE_OK }) else { throw .unusable }
    let outcome = unsafe ccurl_perform(request)
    guard outcome == CURLE_OK else { throw .unanswered(Self.words(for: outcome)) }
    return unsafe ccurl_status(request)
  }

  static let isStarted = ccurl_start() == 1

  /// libcurl's words for a failure, which never hold the address.
  static func words(for code: CURLcode) -> String {
    let words = unsafe String(cString: ccurl_words(code))
    let isWord = words.dropFirst().first?.isLowercase ?? false
    return isWord ? words.prefix(1).lowercased() + words.dropFirst() : words
  }
}
