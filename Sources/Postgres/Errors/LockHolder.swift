/// Who seems to hold a lock that somebody waits for.
public struct LockHolder: Sendable, Equatable {
  /// The process of its session; none where a prepared transaction holds the lock.
  public let process: Int?

  /// What is known of it, as one goes on from "held by".
  public let account: String

  public init(process: Int?, account: String) {
    (self.process, self.account) = (process, account)
  }
}

extension LockHolder {
  /// What ends it, as one goes on from "or end it with".
  public var end: String {
    process.map { "'SELECT pg_terminate_backend(\($0))'" }
      ?? "ROLLBACK PREPARED: 'SELECT gid FROM pg_prepared_xacts' shows its name"
  }
}
