public import Config
public import Push
internal import Web

/// Which providers bring pushes, and what each of them needs: `[push.apns]` and the tables beside it.
public struct ProviderRules: Sendable, Equatable {
  /// Whether pushes go to the providers of their devices; else they go to the log.
  public let isUsed: Bool

  /// What is to be used of them; nothing for one that is not enabled.
  public let apple: Apple?
  public let google: Google?
  public let webhook: Webhook?

  /// What brings pushes to Apple's devices.
  public struct Apple: Sendable, Hashable {
    public let team: String
    public let keyID: String
    public let topic: String

    /// The file of the key; nothing means systemd's credential.
    public let keyFile: String?
    public let priority: Int
    public let way: Way
  }

  /// What brings pushes by Google.
  public struct Google: Sendable, Hashable {
    /// The file of the service account; nothing means systemd's credential.
    public let accountFile: String?
    public let channel: String?
    public let way: Way
  }

  /// How a provider is reached by HTTP/2.
  public struct Way: Sendable, Hashable {
    /// The server that stands in the provider's place, as host:port; nothing for the provider itself.
    public let server: String?

    /// The file of the authorities that are believed; nothing for those of the machine.
    public let authorities: String?
    public let rate: Int
    public let connections: Int
  }

  /// What brings pushes to webhooks.
  public struct Webhook: Sendable, Hashable {
    /// The file of the secrets; nothing means systemd's credential.
    public let secretFile: String?
    public let ports: [Int]
    public let networks: [String]
    public let authorities: String?
    public let rate: Int
  }

  /// The rules of a book, or of one in which all is as it is by default.
  public init(_ store: RuleBook = RuleBook()) {
    isUsed = store[Self.transport] == "providers"
    apple = store[Self.usesApple] ? Apple(store) : nil
    google = store[Self.usesGoogle] ? Google(store) : nil
    webhook = store[Self.usesWebhooks] ? Webhook(store) : nil
  }

  /// Whether a provider is to be used, if providers are.
  public func enables(_ provider: PushProvider) -> Bool {
    switch provider {
    case .apns: apple != nil
    case .fcm: google != nil
    case .webhook: webhook != nil
    }
  }

  private static let transport = Rule("push", "transport", "log", oneOf: ["log", "providers"])
  private static let usesApple = Rule("push.apns", "enabled", false)
  private static let usesGoogle = Rule("push.fcm", "enabled", false)
  private static let usesWebhooks = Rule("push.webhook", "enabled", false)

  static let settings =
    [AnyRule(transport), AnyRule(usesApple)] + Apple.settings + [AnyRule(usesGoogle)]
    + Google.settings + [AnyRule(usesWebhooks)] + Webhook.settings
}

extension ProviderRules.Apple {
  private static let table = "push.apns"
  private static let team = ProviderRules.name(table, "team", "the id of the team at Apple")
  private static let keyID = ProviderRules.name(table, "key_id", "the id of its key")
  private static let topic = ProviderRules.name(table, "topic", "the app's bundle identifier")
  private static let keyFile = ProviderRules.file(table, "key_file", "push_apns_key")
  private static let priority = Rule(table, "priority", 5, oneOf: [5, 10])
  private static let way = ProviderRules.WayRules(table, most: 20_000)

  fileprivate static let settings =
    [AnyRule(team), AnyRule(keyID), AnyRule(topic), AnyRule(keyFile), AnyRule(priority)]
    + way.settings

  fileprivate init(_ store: RuleBook) {
    (team, keyID, topic) = (store[Self.team], store[Self.keyID], store[Self.topic])
    keyFile = store[Self.keyFile].orNothing
    priority = store[Self.priority]
    way = Self.way.read(store)
  }

  /// The first of the settings that must be written and is not.
  public var missing: String? {
    zip([Self.team, Self.keyID, Self.topic], [team, keyID, topic]).first { $1.isEmpty }?.0.name
  }
}

extension ProviderRules.Google {
  private static let table = "push.fcm"
  private static let accountFile = ProviderRules.file(table, "account_file", "push_fcm_account")
  private static let channel = ProviderRules.name(table, "channel", "a channel of the app")
  private static let way = ProviderRules.WayRules(table, most: 5000)

  fileprivate static let settings = [AnyRule(accountFile), AnyRule(channel)] + way.settings

  fileprivate init(_ store: RuleBook) {
    accountFile = store[Self.accountFile].orNothing
    channel = store[Self.channel].orNothing
    way = Self.way.read(store)
  }
}

extension ProviderRules.Webhook {
  private static let table = "push.webhook"
  private static let secretFile = ProviderRules.file(table, "secret_file", "push_webhook_secret")
  private static let ports = Rule(
    table, "ports", "", that: "of numbers from 1 to 65535 with spaces between"
  ) { NumberList($0)?.allSatisfy(in: 1...65_535) ?? false }
  private static let networks = Rule(
    table, "networks", "", that: "of networks with spaces between, such as \"10.1.0.0/16\""
  ) { text in text.split(separator: " ").allSatisfy { Network($0) != nil } }
  private static let rate = ProviderRules.rate(table, 100)

  private static let authorities = ProviderRules.authorities(table)

  fileprivate static let settings = [
    AnyRule(secretFile), AnyRule(ports), AnyRule(networks), AnyRule(authorities), AnyRule(rate),
  ]

  fileprivate init(_ store: RuleBook) {
    secretFile = store[Self.secretFile].orNothing
    ports = NumberList(store[Self.ports])?.numbers ?? []
    networks = store[Self.networks].split(separator: " ").map(String.init)
    (authorities, rate) = (store[Self.authorities].orNothing, store[Self.rate])
  }
}

extension ProviderRules {
  /// The rules by which a provider is reached.
  fileprivate struct WayRules: Sendable {
    private let server: Rule<String>
    private let authorities: Rule<String>
    private let rate: Rule<Int>
    private let connections: Rule<Int>

    init(_ table: String, most: Int) {
      server = ProviderRules.name(table, "server", "host:port, or \"\" for the provider")
      authorities = ProviderRules.authorities(table)
      rate = ProviderRules.rate(table, most)
      connections = Rule(table, "connections", 1, in: 1...16)
    }

    var settings: [AnyRule] {
      [AnyRule(server), AnyRule(authorities), AnyRule(rate), AnyRule(connections)]
    }

    func read(_ store: RuleBook) -> Way {
      Way(
        server: store[server].orNothing, authorities: store[authorities].orNothing,
        rate: store[rate], connections: store[connections])
    }
  }

  fileprivate static func authorities(_ table: String) -> Rule<String> {
    path(table, "authorities", orElse: "those of the machine")
  }

  fileprivate static func file(_ table: String, _ key: String, _ name: String) -> Rule<String> {
    path(table, key, orElse: "the credential \(name)")
  }

  private static func path(
    _ table: String, _ key: String, orElse words: String
  ) -> Rule<String> {
    Rule(table, key, "", that: "that is an absolute path, or \"\" for \(words)") {
      ($0.isEmpty || $0.hasPrefix("/")) && !$0.unicodeScalars.contains("\0")
    }
  }

  fileprivate static func name(_ table: String, _ key: String, _ what: String) -> Rule<String> {
    Rule(table, key, "", that: "without spaces: \(what)") { text in
      text.utf8.count <= 200 && text.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
    }
  }

  fileprivate static func rate(_ table: String, _ most: Int) -> Rule<Int> {
    Rule(table, "rate", most, in: 1...1_000_000)
  }
}

extension String {
  fileprivate var orNothing: String? { isEmpty ? nil : self }
}
