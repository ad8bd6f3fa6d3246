internal import HTTP2
internal import Jobs
internal import Push

/// Whether the providers of pushes that are enabled can be connected to; no push is sent.
struct PushReach {
  private let rules: ProviderRules
  private let keys: PushKeys

  init(_ rules: ProviderRules, _ keys: PushKeys) {
    (self.rules, self.keys) = (rules, keys)
  }

  var observations: [Observation] {
    var seen: [Observation] = []
    if let apple = rules.apple {
      seen.append(
        Self.observation(of: apple.way.origin(ProviderRules.Apple.host(isSandbox: false))))
      if apple.way.server == nil {
        seen.append(
          Self.observation(of: apple.way.origin(ProviderRules.Apple.host(isSandbox: true))))
      }
    }
    if let google = rules.google {
      seen.append(Self.observation(of: google.way.origin(ProviderRules.Google.host)))
    }
    if let account = keys.google?.account { seen.append(Self.observation(of: account)) }
    if rules.webhook != nil {
      seen.append(.note("webhooks are not asked: each device names its own"))
    }
    return seen
  }

  private static func observation(of origin: Origin) -> Observation {
    let name = "\(origin.host):\(origin.port)"
    do throws(ConnectFailure) {
      try Reach.connect(to: origin)
      return .ok("\(name) speaks HTTP/2, and its certificate is verified")
    } catch {
      return .problem(
        "\(name): \(error)", why: "no push of that provider can leave",
        do: "let this host connect there: see the firewall, the name server and the certificates")
    }
  }

  private static func observation(of account: ServiceAccount) -> Observation {
    let source = AccessTokenSource(of: account, through: CurlOAuth())
    do throws(OAuthFailure) {
      _ = try source.token(at: SystemClock.now)
      return .ok("Google gives the service account an access token")
    } catch {
      return .problem(
        "\(error)", why: "no push to Google can leave",
        do: "see whether the account still has this key, and whether this host's clock is right")
    }
  }
}
