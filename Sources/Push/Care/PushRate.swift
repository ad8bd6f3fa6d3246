/// How many pushes may leave for a provider now.
///
/// A bucket that fills at a rate. The rate grows for a minute after a silence, since a provider that is suddenly
/// asked for everything refuses; it halves when the provider says that it is too much, and grows again.
public struct PushRate: Sendable {
  /// How many pushes may leave in a second when all is well.
  private let most: Double

  /// How long it takes to come to that from a silence on.
  private let ramp: Duration

  /// How many may leave in a second, but for the ramp.
  private var allowed: Double
  private var halvedAt: ContinuousClock.Instant?
  private var begunAt: ContinuousClock.Instant?
  private var lastAt: ContinuousClock.Instant?
  private var held = 0.0

  /// After as long without a push the rate grows anew.
  private static let silence = Duration.seconds(300)

  /// Answers to pushes that left together halve the rate once.
  private static let pause = Duration.seconds(1)

  /// How long half the rate takes to be the whole again.
  private static let recovery = Duration.seconds(30)

  /// What is held for pushes that come at once.
  private static let breath = Duration.milliseconds(100)

  public init(most: Int, ramp: Duration = .seconds(60)) {
    self.most = Double(max(most, 1))
    self.ramp = ramp
    allowed = self.most
  }

  /// Takes as many of `wanted` pushes as may leave at `now`.
  public mutating func take(_ wanted: Int, at now: ContinuousClock.Instant) -> Int {
    fill(at: now)
    let taken = min(wanted, Int(held))
    guard taken > 0 else { return 0 }
    held -= Double(taken)
    lastAt = now
    return taken
  }

  /// How long it takes from `now` on until the next may leave.
  public mutating func wait(at now: ContinuousClock.Instant) -> Duration {
    fill(at: now)
    return held >= 1 ? .zero : .seconds((1 - held) / limit(at: now))
  }

  /// Notes that the provider said that it is too much.
  public mutating func halve(at now: ContinuousClock.Instant) {
    guard halvedAt.map({ now - $0 >= Self.pause }) ?? true else { return }
    allowed = max(recovered(at: now) / 2, min(most, 1))
    halvedAt = now
    held = min(held, 1)
  }

  /// How many may leave in a second at `now`.
  public func limit(at now: ContinuousClock.Instant) -> Double {
    let rest = recovered(at: now)
    guard let begunAt, ramp > .zero else { return rest }
    let passed = max(now - begunAt, .seconds(1))
    return passed < ramp ? rest * (passed / ramp) : rest
  }

  private mutating func fill(at now: ContinuousClock.Instant) {
    guard let last = lastAt, now - last < Self.silence else {
      (begunAt, lastAt, filledAt) = (now, now, now)
      held = 1
      return
    }
    let limit = limit(at: now)
    let room = max(1, limit * (Self.breath / .seconds(1)))
    held = min(held + limit * ((now - (filledAt ?? now)) / .seconds(1)), room)
    filledAt = now
  }

  private var filledAt: ContinuousClock.Instant?

  private func recovered(at now: ContinuousClock.Instant) -> Double {
    guard let halvedAt else { return allowed }
    return min(allowed + most / 2 * ((now - halvedAt) / Self.recovery), most)
  }
}
