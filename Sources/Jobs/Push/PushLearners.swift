import JobKit
import LocalTime
import Postgres

/// Whom a run looks at: those whose window begins, and those of whom something is new.
enum PushLearners {
  /// The ids of learners who are to be looked at, some of them more than once: `isNew` is a condition on
  /// when a row was received and in which transaction it was written.
  static func query(
    until horizon: Instant, isNew: (_ received: Statement, _ written: Statement) -> Statement
  ) -> Statement {
    """
    SELECT user_id FROM learning.push_agenda WHERE look_at <= \(horizon)
    UNION ALL SELECT user_id FROM learning.users WHERE \(isNew("changed_at", "written_in"))
    UNION ALL SELECT user_id FROM learning.devices WHERE \(isNew("registered_at", "written_in"))
    UNION ALL SELECT user_id FROM learning.sessions
      WHERE completed AND \(isNew("server_received_at", "written_in"))
    """
  }
}
