internal import Config
internal import Push

/// What became of a test push.
struct PushTestReport {
  let target: PushTarget
  let isDelivered: Bool
  let exchange: PushWatch.Exchange
  let delivery: Delivery

  /// As people read it: the request and the answer as they went over the wire, and what follows.
  var text: String {
    (heading + request + answer + ["", "outcome  \(outcome)"]
      + consequences.map { "worker   \($0)" }).joined(separator: "\n")
  }

  var json: JSON {
    .object([
      .init("ok", .boolean(delivery.isTaken)),
      .init("provider", .string(target.place.provider.rawValue)),
      .init("sandbox", .boolean(target.place.isSandbox)),
      .init("learner", target.learner.map { .integer($0) } ?? nil),
      .init("device", .string(target.token.digest)),
      .init("validated_only", .boolean(isValidation)),
      .init("request", requestJSON), .init("answer", answerJSON),
      .init("milliseconds", milliseconds.map { .integer($0) } ?? nil),
      .init("outcome", .string(outcome)),
      .init("worker", .array(consequences.map { .string($0) })),
    ])
  }

  private var consequences: [String] { Consequences.sentences(of: delivery, exchange.verdict) }

  private var isValidation: Bool { target.place.provider == .fcm && !isDelivered }

  private var outcome: String {
    switch delivery {
    case .sent: "sent"
    case .accepted(let name): hidden("sent, and named \(name)")
    case .refused(let reason): "refused for this device: \(reason)"
    case .rejected(let reason): "refused: \(reason)"
    case .notSent(let reason, _): "not sent: \(reason)"
    case .uncertain(let reason): "uncertain: \(reason)"
    }
  }

  private func hidden(_ text: String) -> String { target.token.hidden(in: text) }
}

extension PushTestReport {
  private var heading: [String] {
    let owner = target.learner.map { " of learner \($0)" } ?? ""
    let mode = isValidation ? ", which only validates the push" : ""
    return ["device   \(target.token.digest)\(owner), at \(target.place)\(mode)"]
  }

  private var request: [String] {
    guard let server = exchange.server else { return ["server   none was asked"] }
    return ["server   \(server)", "", "> POST \(hidden(exchange.path))"]
      + exchange.headers.map { "> \($0.name): \(hidden($0.value))" }
      + [">", "> \(hidden(exchange.body))", ""]
  }

  private var answer: [String] {
    guard exchange.server != nil else { return [] }
    guard let answer = exchange.answer else { return ["< no answer, \(time)"] }
    return ["< \(answer.status) after \(time)"] + shown(answer.headers).map { "< \($0): \($1)" }
      + (answer.body.isEmpty ? [] : ["<", "< \(body(of: answer))"])
  }

  private var milliseconds: Int? {
    exchange.took.map { Int($0 / .milliseconds(1)) }
  }

  private var time: String { milliseconds.map { "\($0) ms" } ?? "no time" }

  private var requestJSON: JSON {
    guard let server = exchange.server else { return nil }
    return [
      "server": .string(server), "method": "POST", "path": .string(hidden(exchange.path)),
      "headers": json(exchange.headers.map { ($0.name, hidden($0.value)) }),
      "body": .string(hidden(exchange.body)),
    ]
  }

  private var answerJSON: JSON {
    guard let answer = exchange.answer else { return nil }
    return [
      "status": .integer(answer.status), "headers": json(shown(answer.headers)),
      "body": .string(body(of: answer)),
    ]
  }

  private func json(_ headers: [(String, String)]) -> JSON {
    .array(headers.map { ["name": .string($0), "value": .string($1)] })
  }

  private func shown(_ headers: [(name: String, value: String)]) -> [(String, String)] {
    headers.filter { $0.name != "set-cookie" }.map { ($0.name, hidden($0.value)) }
  }

  /// The beginning of a body: a receiver of a webhook may answer with anything.
  private func body(of answer: PushWatch.Answer) -> String {
    let text = hidden(String(decoding: answer.body.prefix(512), as: UTF8.self))
    return answer.body.count > 512 ? "\(text)…" : text
  }
}
