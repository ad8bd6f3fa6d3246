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

extension Retention {
  package init(from table: inout TableReader) {
    let length = SettingKind.duration(.seconds(86_400)...(.seconds(3_660 * 86_400)), suchAs: "30d")
    succeeded = table.read("succeeded", as: length, else: succeeded)
    failed = table.read("failed", as: length, else: failed)
    neverRan = table.read("never_ran", as: length, else: neverRan)
    newest = table.read("newest", as: .count(1...10_000, suchAs: 50), else: newest)
  }
}
