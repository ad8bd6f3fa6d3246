internal import Jobs
internal import Push
internal import Synchronization

/// The providers to which this process brings pushes, as the settings want them.
///
/// What brings them outlasts a change of the settings that is not about it: connections stay, and Apple, which wants
/// few tokens, is shown no new one.
enum PushProviders {
  private static let shelf = Mutex(Shelf())

  /// The transport to all providers that are enabled; throws what keeps one from being used.
  ///
  /// Each part of a run keeps `window` pushes in hand at most.
  static func transport(
    _ rules: ProviderRules, window: Int? = nil
  ) throws(PushKeyFault) -> ProviderTransport {
    let keys = try PushKeys(rules)
    return shelf.withLock { shelf in
      shelf.window = window
      return shelf.transport(rules, keys)
    }
  }

  /// What is known of each that is enabled, now.
  static func snapshot() -> PushSnapshot {
    let (senders, window) = shelf.withLock { ($0.senders.mapValues(\.sender), $0.window) }
    let now = ContinuousClock.now
    // There is a journal only where something brings pushes: to ask for it would begin one.
    return PushSnapshot(
      providers: senders.map { ($0.key, $0.value.figures(at: now)) }
        .sorted { $0.place.word < $1.place.word },
      journal: senders.isEmpty ? nil : PushMemory.ofThisProcess.journal?.figures, window: window)
  }

  /// Lets go of them all: pushes go elsewhere.
  static func letGo() {
    shelf.withLock { $0 = Shelf() }
  }

  private struct Shelf {
    private(set) var senders: [PushPlace: Entry] = [:]
    var window: Int?
    private var tokens: (rules: AnyHashable, key: Secret, source: AppleTokenSource)?

    /// What brings pushes, and what it was made for.
    struct Entry {
      let rules: AnyHashable
      let key: Secret
      let sender: any PushSender
    }

    mutating func transport(_ rules: ProviderRules, _ keys: PushKeys) -> ProviderTransport {
      let before = senders
      senders = [:]
      let memory = PushMemory.ofThisProcess
      if let apple = rules.apple, let (key, team) = keys.apple {
        let source = source(of: team, ["\(apple.team) \(apple.keyID)"], key)
        for isSandbox in [false, true] {
          keep(PushPlace(.apns, isSandbox: isSandbox), before, for: apple, with: key) {
            apple.sender(isSandbox: isSandbox, with: source, journal: memory.journal)
          }
        }
      }
      if let google = rules.google, let (key, account) = keys.google {
        keep(PushPlace(.fcm), before, for: google, with: key) {
          google.sender(of: account, journal: memory.journal)
        }
      }
      if let webhook = rules.webhook, let (key, secrets) = keys.webhook {
        keep(PushPlace(.webhook), before, for: webhook, with: key) {
          webhook.sender(with: secrets, journal: memory.journal)
        }
      }
      return ProviderTransport(
        senders.mapValues(\.sender), journal: memory.journal, remains: { memory.remains })
    }

    /// Keeps what there was, if it was made for the same; else makes another.
    private mutating func keep(
      _ place: PushPlace, _ before: [PushPlace: Entry], for rules: AnyHashable, with key: Secret,
      _ make: () -> any PushSender
    ) {
      if let entry = before[place], entry.rules == rules, entry.key == key {
        senders[place] = entry
      } else {
        senders[place] = Entry(rules: rules, key: key, sender: make())
      }
    }

    private mutating func source(
      of team: AppleTeam, _ name: AnyHashable, _ key: Secret
    ) -> AppleTokenSource {
      if let tokens, tokens.rules == name, tokens.key == key { return tokens.source }
      let source = AppleTokenSource(of: team, keptBy: PushMemory.folder.flatMap(team.file))
      tokens = (name, key, source)
      return source
    }
  }
}
