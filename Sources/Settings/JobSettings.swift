public import JobKit

/// One job as it will be run: its definition with what the settings changed.
public struct JobSettings: Sendable, Equatable {
  public let name: JobName
  public var isEnabled: Bool
  public var schedule: Schedule
  public var policies: Policies

  /// Into how many parts a run is cut.
  public var parts: Int

  /// The share of the learners that runs are for: less than 100 is a canary.
  public var percent: Int

  /// Whether people are told when something goes wrong with it.
  public var notifies = true
}
