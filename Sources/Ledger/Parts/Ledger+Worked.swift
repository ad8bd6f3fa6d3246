import Postgres

extension Ledger {
  /// The columns of a part that a worker lets go of, in SQL: the time that it had it in its hands is added up.
  ///
  /// What a worker of an older program began is not known.
  static func lettingGo(at now: Statement) -> Statement {
    """
    began_at = NULL, worked = worked + CASE WHEN last_epoch = epoch AND began_at < \(now)
      THEN (extract(epoch FROM \(now) - began_at) * 1000000)::bigint ELSE 0 END
    """
  }

  /// The same of a part whose claim is void from here on, as its worker is lost or nobody has it.
  ///
  /// Who had it last stays known under the new number. Until its lease was over the worker may have worked.
  static func losingDaemon(at now: Statement) -> Statement {
    """
    epoch = epoch + 1, last_epoch = CASE WHEN last_epoch = epoch THEN epoch + 1 ELSE last_epoch END,
      \(lettingGo(at: "least(\(now), lease_until)"))
    """
  }
}
