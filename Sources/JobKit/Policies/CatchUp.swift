/// What becomes of ticks whose moment passed while no daemon was looking.
public struct CatchUp: Sendable, Hashable {
  /// Which of the ticks that were missed are run after an outage.
  public var policy: Policy

  /// How long after its moment a tick is still worth running.
  public var within: Duration

  /// How many ticks one pass may start at most; the others collapse.
  public var most: Int

  /// Catching up by a policy, of ticks that are not older than `within`.
  public init(_ policy: Policy = .latest, within: Duration = .seconds(86_400), most: Int = 100) {
    self.policy = policy
    self.within = within
    self.most = most
  }

  /// Which of the ticks that were missed are run after all.
  public enum Policy: String, Sendable, CaseIterable {
    /// The newest one: it does what the missed ones would have done.
    case latest

    /// None.
    case skip

    /// Each of them, oldest first.
    case all
  }
}
