package import Config

/// How long the ledger remembers a run after its end, by what became of it.
public struct Retention: Sendable, Equatable {
  public var succeeded = Duration.seconds(10 * 86_400)

  /// What failed or was cancelled.
  public var failed = Duration.seconds(180 * 86_400)

  /// What never ran: skipped, missed, collapsed.
  public var neverRan = Duration.seconds(30 * 86_400)

  /// How many runs of each job are remembered whatever their age: the newest that ran.
  public var newest = 50

  public init() {}
}

extension Retention: SettingsTable {
  package static var fields: [SettingField<Self>] {
    let length = SettingKind.seconds(86_400...3_660 * 86_400, suchAs: "30d")
    return [
      .init("succeeded", \.succeeded, as: length),
      .init("failed", \.failed, as: length),
      .init("never_ran", \.neverRan, as: length),
      .init("newest", \.newest, as: .count(1...10_000, suchAs: 50)),
    ]
  }
}
