import Postgres

/// Whether a learner may get a push at all, as the app has it now.
///
/// The plan, its explanation and forecast, and the delivery go by this alone.
struct PushEligibility: Sendable, Equatable {
  var isActive = true

  /// Whether nobody has to consent, or a child's guardian has.
  var hasConsent = true
  var hasOptedIn = true

  /// The first reason not to send any push.
  var objection: PushReason? {
    if !isActive { return .inactive }
    if !hasConsent { return .noConsent }
    return hasOptedIn ? nil : .optedOut
  }
}

extension PushEligibility {
  /// The columns that it is read from, of `users`, the app's row of a learner.
  static func columns(of users: Statement) -> Statement {
    """
    \(users).status = 'active' AS is_active,
    \(users).audience <> 'child' OR \(users).guardian_consent AS has_consent, \(users).push_opt_in
    """
  }

  /// Reads those columns of a row, of which the first has this place.
  init(_ row: Row, from place: Int) throws(PostgresError) {
    isActive = try row[place]
    hasConsent = try row[place + 1]
    hasOptedIn = try row[place + 2]
  }
}
