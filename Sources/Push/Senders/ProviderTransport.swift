internal import Dispatch
internal import Synchronization

/// Brings pushes to the providers of their devices, all at once.
public final class ProviderTransport: PushTransport {
  public let journal: PushJournal?
  private let readRemains: @Sendable () -> [JournalRemains]
  private let senders: [PushPlace: any PushSender]
  private let clock: @Sendable () -> ContinuousClock.Instant

  /// How long pushes are kept for a provider's rate: longer, and others might hold them for lost.
  private static let patience = Duration.seconds(5)

  public init(
    _ senders: [PushPlace: any PushSender], journal: PushJournal? = nil,
    remains: @escaping @Sendable () -> [JournalRemains] = { [] },
    clock: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    self.senders = senders
    self.journal = journal
    readRemains = remains
    self.clock = clock
  }

  /// Others die while this process lives: so it is looked for them whenever somebody asks.
  public var remains: [JournalRemains] { readRemains() }

  /// With two, a provider would wait for each claim half the time; more of them commit more often.
  public var windows: Int { 3 }

  public func send(_ pushes: [PushMessage]) -> [Delivery] { begin(pushes)() }

  public func begin(_ pushes: [PushMessage]) -> () -> [Delivery] {
    let gathering = Gathering(of: pushes.count)
    var queues = Dictionary(grouping: pushes.indices) { place(of: pushes[$0]) }
    let end = clock() + Self.patience
    while !queues.isEmpty {
      var wait = Duration.seconds(1)
      for (place, queue) in queues {
        let (rest, restWait) = send(queue[...], to: place, pushes, gathering)
        queues[place] = rest.isEmpty ? nil : Array(rest)
        wait = min(wait, restWait)
      }
      guard !queues.isEmpty else { break }
      guard clock() < end else {
        for (place, queue) in queues {
          senders[place]?.noteKept(queue.count, because: .rate)
          _ = refuse(queue[...], "there are more pushes than its rate allows", nil, gathering)
        }
        break
      }
      Self.pause(for: max(wait, .milliseconds(1)))
    }
    return { gathering.deliveries() }
  }

  /// What is known of each provider now.
  public var figures: [PushPlace: ProviderFigures] {
    let now = clock()
    return senders.mapValues { $0.figures(at: now) }
  }

  private func place(of push: PushMessage) -> PushPlace {
    // Google has one provider for all apps, and a webhook is what its address says.
    PushPlace(push.provider, isSandbox: push.isSandbox && push.provider == .apns)
  }

  /// Sends as many as may leave; returns those that wait, and for how long.
  private func send(
    _ queue: ArraySlice<Int>, to place: PushPlace, _ pushes: [PushMessage], _ gathering: Gathering
  ) -> (rest: ArraySlice<Int>, wait: Duration) {
    guard let sender = senders[place] else {
      return (refuse(queue, "\(place) is not enabled", nil, gathering), .zero)
    }
    switch sender.leave(queue.count, at: clock()) {
    case .later(let wait): return (queue, wait)
    case .none(let reason, let wait):
      sender.noteKept(queue.count, because: .breaker)
      return (refuse(queue, reason, wait, gathering), .zero)
    case .now(let count):
      for index in queue.prefix(count) {
        sender.send(pushes[index]) { gathering.note($0, at: index) }
      }
      return (queue.dropFirst(count), .zero)
    }
  }

  private func refuse(
    _ queue: ArraySlice<Int>, _ reason: String, _ wait: Duration?, _ gathering: Gathering
  ) -> ArraySlice<Int> {
    for index in queue { gathering.note(.notSent(reason, wait: wait), at: index) }
    return []
  }

  private static func pause(for duration: Duration) {
    let never = DispatchGroup()
    never.enter()
    _ = never.wait(timeout: .now() + .microseconds(Int(duration / .microseconds(1))))
    never.leave()
  }
}

/// What became of pushes that are under way together.
private final class Gathering: Sendable {
  private let found: Mutex<[Delivery?]>
  private let open = DispatchGroup()

  init(of count: Int) {
    found = Mutex(Array(repeating: nil, count: count))
    for _ in 0..<count { open.enter() }
  }

  func note(_ delivery: Delivery, at index: Int) {
    let isFirst = found.withLock { found in
      guard found[index] == nil else { return false }
      found[index] = delivery
      return true
    }
    if isFirst { open.leave() }
  }

  /// What became of all of them, when that is known of the last.
  func deliveries() -> [Delivery] {
    open.wait()
    return found.withLock { $0.map { $0 ?? .uncertain("nothing was heard of it") } }
  }
}
