/// A setting that there is, and what may be written there.
public struct KnownSetting: Sendable, Hashable {
  /// Where it stands, such as "jobs.deliver_pushes.enabled".
  public let name: String

  /// In the words of a refusal, such as "a whole number from 1 to 64, such as 4".
  public let wanted: String
}
