import Push

/// The windows of pushes that a part has on their way, those that left first before others.
///
/// While a provider thinks about one, the next is claimed and sent. All of them together are no more than a
/// part may have in its hands.
struct PushesInHand {
  /// One window, until it is known what became of it.
  struct Window {
    /// Those of whom it is asked.
    let learners: [Int]

    /// Waits for what became of them.
    let report: (inout FailingProviders) -> DeliveryReport
  }

  private let most: Int
  private var windows: [Window] = []

  init(most: Int) {
    self.most = most
  }

  var isEmpty: Bool { windows.isEmpty }
  var isFull: Bool { windows.count >= most }
  var learners: Set<Int> { Set(windows.lazy.flatMap(\.learners)) }

  mutating func add(_ window: Window) {
    windows.append(window)
  }

  /// What became of the window that left first, when all of it is known; nothing when none is left.
  mutating func next(sparing failing: inout FailingProviders) -> DeliveryReport? {
    guard let first = windows.first else { return nil }
    windows.removeFirst()
    return first.report(&failing)
  }
}
