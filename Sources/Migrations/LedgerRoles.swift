/// The roles of the database that use the ledger without owning it.
public struct LedgerRoles: Sendable, Equatable {
  /// As whom daemons and commands work.
  public var worker: String?

  /// As whom somebody may only look.
  public var reader: String?

  /// As whom an app may ask for runs, and do nothing else.
  public var requester: String?

  public init(worker: String? = nil, reader: String? = nil, requester: String? = nil) {
    self.worker = worker
    self.reader = reader
    self.requester = requester
  }

  var names: [String] { [worker, reader, requester].compactMap(\.self) }
}
