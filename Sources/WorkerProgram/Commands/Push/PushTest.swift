internal import Jobs
internal import LocalTime
internal import Push
internal import Settings

extension PushAction {
  /// Sends one push, and shows what becomes of it.
  static let test = PushAction(
    name: "test", purpose: "send one push and show what goes over the wire",
    options: [.config, .device, .learner, .provider, .environment, .deliver, .json],
    run: { arguments, console in
      let (target, settings) = try PushTarget.find(arguments)
      let isDelivered = arguments.has(.deliver)
      guard isDelivered || !target.appearsWhenSent else {
        throw PushTestRefused.wouldAppear(target)
      }
      let test = PushTest(target: target, isDelivered: isDelivered)
      let report = try test.send(by: ProviderRules(settings.rules), at: SystemClock.now())
      try console.answer(report.text, report.json, to: arguments)
      return report.delivery.isTaken ? .done : .jobFailed
    })
}

extension Option {
  static let device = value(
    "device", "TOKEN", "the token or URL of the device; '-' reads it from standard input")
  static let provider = value(
    "provider", "PROVIDER", "whose device it is: apns, fcm or webhook",
    choices: ["apns", "fcm", "webhook"])
  static let environment = value(
    "environment", "ENVIRONMENT", "where Apple is asked with --device; else at its sandbox",
    choices: ["sandbox", "production"])
  fileprivate static let deliver = flag(
    "deliver", "let the push appear on the device, whosever it is")
}

/// One push to see what becomes of it.
struct PushTest {
  let target: PushTarget

  /// Whether Google is to do more than to validate it.
  let isDelivered: Bool

  /// How long a provider may keep it: who tests looks at the device.
  private static let life = 600

  /// Sends the push by the provider of its device, as a daemon would.
  func send(by rules: ProviderRules, at now: Instant) throws -> PushTestReport {
    let watch = PushWatch()
    let trial = PushTrial(watch: watch, isDelivered: isDelivered)
    let sender = try sender(by: rules, trial)
    let transport = ProviderTransport([target.place: sender])
    let delivery = transport.send([message(at: now)]).first ?? .notSent("nothing was sent")
    return PushTestReport(
      target: target, isDelivered: isDelivered, exchange: watch.exchange, delivery: delivery)
  }

  private func message(at now: Instant) -> PushMessage {
    PushMessage(
      id: "test/\(now.microseconds)", provider: target.place.provider,
      isSandbox: target.place.isSandbox, token: target.token, title: "A test",
      body: "Sent by 'worker push test'", link: "app://test",
      expiresAt: now.secondsSince1970 + Self.life, registeredAt: target.registeredAt)
  }

  private func sender(by rules: ProviderRules, _ trial: PushTrial) throws -> any PushSender {
    let keys = try PushKeys(rules, for: target.place.provider)
    if let apple = rules.apple, let team = keys.apple?.team {
      let tokens = AppleTokenSource(of: team, keptBy: PushMemory.folder.flatMap(team.file))
      return apple.sender(
        isSandbox: target.place.isSandbox, with: tokens, journal: nil, on: trial)
    }
    if let google = rules.google, let account = keys.google?.account {
      return google.sender(of: account, journal: nil, on: trial)
    }
    if let webhook = rules.webhook, let secrets = keys.webhook?.secrets {
      return webhook.sender(with: secrets, journal: nil, on: trial)
    }
    throw PushKeyFault(
      "\(target.place.provider.rawValue) is not enabled: write 'enabled = true' below"
        + " [push.\(target.place.provider.rawValue)]")
  }
}

extension Delivery {
  /// Whether the provider has the push.
  var isTaken: Bool {
    switch self {
    case .sent, .accepted: true
    case .refused, .rejected, .notSent, .uncertain: false
    }
  }
}
