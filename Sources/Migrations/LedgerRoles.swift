/// The roles of the database that use the ledger without owning it.
public struct LedgerRoles: Sendable, Equatable {
  /// As whom daemons and commands work.
  public var worker: String?

  /// As whom somebody may only look.
  public var reader: String?

  public init(worker: String? = nil, reader: String? = nil) {
    self.worker = worker
    self.reader = reader
  }

  var names: [String] { [worker, reader].compactMap(\.self) }
}
