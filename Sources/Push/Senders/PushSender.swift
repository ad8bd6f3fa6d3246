/// What brings pushes to one provider, each for itself.
public protocol PushSender: Sendable {
  /// How many of `wanted` pushes may be sent at `now`.
  func leave(_ wanted: Int, at now: ContinuousClock.Instant) -> Care.Leave

  /// Begins to send a push that may leave; `done` is called once, with what became of it, on whatever thread.
  func send(_ push: PushMessage, then done: @escaping @Sendable (Delivery) -> Void)

  /// Counts pushes that were kept from leaving, and why.
  func noteKept(_ count: Int, because word: AnswerWord)

  /// What is known of the provider at `now`; asked on whatever thread.
  func figures(at now: ContinuousClock.Instant) -> ProviderFigures
}

extension PushSender {
  public func noteKept(_ count: Int, because word: AnswerWord) {}

  public func figures(at now: ContinuousClock.Instant) -> ProviderFigures { ProviderFigures() }
}

/// A provider as devices have one: that of sandbox builds of apps is another.
public struct PushPlace: Sendable, Hashable {
  public let provider: PushProvider
  public let isSandbox: Bool

  public init(_ provider: PushProvider, isSandbox: Bool = false) {
    (self.provider, self.isSandbox) = (provider, isSandbox)
  }
}

extension PushPlace {
  /// One word for it, as metrics have it.
  public var word: String { isSandbox ? "\(provider.rawValue)_sandbox" : provider.rawValue }
}

extension PushPlace: CustomStringConvertible {
  public var description: String {
    isSandbox ? "the sandbox of \(provider.rawValue)" : provider.rawValue
  }
}
