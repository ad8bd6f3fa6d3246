/// What is known of the journal of this process.
public struct JournalFigures: Sendable, Equatable {
  /// How many pushes it has room for, and how many it holds.
  public let places: Int
  public let used: Int

  /// How many it has forgotten too early, because there was no room.
  public let lost: Int
}
