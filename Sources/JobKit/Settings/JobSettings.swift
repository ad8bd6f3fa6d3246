/// One job as it will be run: its definition with what the settings changed.
public struct JobSettings: Sendable, Equatable {
  public let name: JobName
  public var isEnabled: Bool
  public var schedule: Schedule
}
