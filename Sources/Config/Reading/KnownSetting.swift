/// A setting that there is, and what may be written there.
public struct KnownSetting: Sendable, Hashable {
  /// The table that it stands in, such as ["jobs", "deliver_pushes"], and its key there.
  let table: [String]
  let key: String

  /// In the words of a refusal, such as "a whole number from 1 to 64, such as 4".
  public let wanted: String

  /// Where it stands, such as "jobs.deliver_pushes.enabled".
  public var name: String { (table + [key]).joined(separator: ".") }
}
