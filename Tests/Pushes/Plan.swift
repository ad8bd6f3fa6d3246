internal import HTTP2

/// What is to be sent where: words like `port=8443`.
struct Plan: Sendable {
  var origin: Origin
  var policy = PoolPolicy()
  let count: Int
  let window: Int
  let rounds: Int
  let seed: UInt64
  let output: String?
  private let body = Array(
    #"{"aps":{"alert":{"title":"Three minutes for your Spanish","body":"Your words of yesterday wait"},"sound":"default"}}"#
      .utf8)

  init(_ words: some Sequence<String>) {
    var values: [Substring: Substring] = [:]
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { values[parts[0]] = parts[1] }
    }
    func number(_ name: Substring, _ usual: Int) -> Int {
      values[name].flatMap { Int($0) } ?? usual
    }
    count = number("count", 1000)
    window = number("window", 100)
    rounds = number("rounds", 1)
    seed = UInt64(number("seed", 1))
    output = values["output"].map(String.init)
    origin = Origin(
      host: String(values["host"] ?? "localhost"), port: UInt16(number("port", 8443)),
      address: values["address"].map(String.init), authorities: values["ca"].map(String.init))
    policy.window = window
    policy.connections = number("connections", 1)
    policy.betweenConnections = .milliseconds(number("gap", 1000))
    policy.longestWait = .milliseconds(number("longest", 60_000))
    policy.provesTokens = number("proves", 1) == 1
    policy.limits.answer = .milliseconds(number("answer", 30_000))
    policy.limits.pong = .milliseconds(number("pong", 10_000))
    policy.limits.connecting = .milliseconds(number("connecting", 10_000))
  }

  /// The identifier of a push: the same whenever it is sent.
  func id(_ index: Int) -> String {
    let digits = String(index, radix: 16)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  func request(_ index: Int) -> Request {
    let id = id(index)
    return Request(
      id: UInt64(index), path: "/3/device/\(id.filter { $0 != "-" })",
      headers: [
        HeaderField(
          "authorization", "bearer eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQzEyM0RFRkcifQ.e30.c2ln"),
        HeaderField("apns-topic", "com.example.app"), HeaderField("apns-push-type", "alert"),
        HeaderField("apns-priority", "5"), HeaderField("apns-expiration", "1795899600"),
        HeaderField("apns-collapse-id", "daily"), HeaderField("apns-id", id, isUnique: true),
      ], body: body)
  }
}
