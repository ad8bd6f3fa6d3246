internal import Jobs
internal import LocalTime
internal import Push
internal import Settings

/// The device that a test push is for.
struct PushTarget {
  let place: PushPlace
  let token: PushToken

  /// Whose it is, where that was asked.
  var learner: Int?
  var registeredAt: Instant?

  /// Whether every push to it appears there: Apple and webhooks know no other.
  var appearsWhenSent: Bool {
    switch place.provider {
    case .apns: !place.isSandbox
    case .fcm: false
    case .webhook: true
    }
  }
}

extension PushTarget {
  /// The device that was named, or that of the learner which a push is tried on first; and the settings.
  static func find(_ arguments: Arguments) throws -> (PushTarget, Settings) {
    let provider = try provider(arguments)
    let isProduction = try isProduction(arguments)
    switch (arguments[.device], try arguments.learner()) {
    case (let text?, nil):
      let settings = try SettingsFile(arguments).load().settings
      let token = text == "-" ? readLine() ?? "" : text
      guard !token.isEmpty else {
        throw UsageError(
          .badValue(text, of: .device, expected: "write the token of a device"), command: .push)
      }
      return (named(token, provider, isProduction: isProduction), settings)
    case (nil, let learner?):
      guard isProduction == nil else {
        throw UsageError(
          .badWord("--environment", expected: "a learner's device has its own: leave it out"),
          command: .push)
      }
      let session = try LedgerSession.openLedger(arguments)
      return (try first(of: learner, provider, session), session.settings)
    case (nil, nil): throw UsageError(.missingOption(.device), command: .push)
    case (_?, _?):
      throw UsageError(
        .badWord("--user", expected: "write --device or --user, not both"), command: .push)
    }
  }

  private static func named(
    _ token: String, _ provider: PushProvider?, isProduction: Bool?
  ) -> PushTarget {
    let provider = provider ?? guess(token)
    let isSandbox = provider == .apns && isProduction != true
    return PushTarget(place: PushPlace(provider, isSandbox: isSandbox), token: PushToken(token))
  }

  /// Whose a token looks like.
  private static func guess(_ token: String) -> PushProvider {
    if token.contains("://") { return .webhook }
    return token.allSatisfy(\.isHexDigit) ? .apns : .fcm
  }

  private static func first(
    of learner: Int, _ provider: PushProvider?, _ session: borrowing LedgerSession
  ) throws -> PushTarget {
    let now = session.now
    let devices = try LearnerDevice.all(of: learner, at: now, on: session.connection)
    let fit = devices.first { device in
      device.mayBeTried(at: now) && (provider.map { $0 == device.provider } ?? true)
    }
    guard let device = fit else { throw PushTestRefused.noDevice(of: learner, provider) }
    let isSandbox = device.isSandbox && device.provider == .apns
    return PushTarget(
      place: PushPlace(device.provider, isSandbox: isSandbox), token: device.token,
      learner: learner, registeredAt: device.registeredAt)
  }

  private static func provider(_ arguments: Arguments) throws(UsageError) -> PushProvider? {
    guard let text = arguments[.provider] else { return nil }
    guard let provider = PushProvider(rawValue: text) else {
      throw UsageError(
        .badValue(text, of: .provider, expected: "write apns, fcm or webhook"), command: .push)
    }
    return provider
  }

  private static func isProduction(_ arguments: Arguments) throws(UsageError) -> Bool? {
    switch arguments[.environment] {
    case nil: return nil
    case "sandbox": return false
    case "production": return true
    case let text?:
      throw UsageError(
        .badValue(text, of: .environment, expected: "write sandbox or production"), command: .push)
    }
  }
}

/// Why no test push is sent.
enum PushTestRefused: Error {
  case noDevice(of: Int, PushProvider?)
  case wouldAppear(PushTarget)
}

extension PushTestRefused: EndingError {
  var exitCode: ExitCode {
    switch self {
    case .noDevice: .badData
    case .wouldAppear: .refusedForNow
    }
  }

  var description: String {
    switch self {
    case .noDevice(let learner, let provider):
      "learner \(learner) has no valid device" + (provider.map { " of \($0.rawValue)" } ?? "")
        + ": 'worker push devices --user \(learner)' shows why"
    case .wouldAppear(let target):
      "\(target.place) cannot only validate a push: it would appear on the device"
        + " \(target.token.digest): write --deliver to send it all the same"
    }
  }
}
