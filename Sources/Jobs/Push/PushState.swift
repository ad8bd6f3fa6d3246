import Postgres

/// What has become of the push of a day.
enum PushState: String, Sendable, PostgresValue {
  case planned
  case sending
  case sent
  case opened
  case ignored
  case failed
  case uncertain
  case expired
  case suppressed

  /// Whether something new may still change it: it certainly has not left, and no device refused it.
  var isRevisable: Bool { self == .planned || self == .suppressed || self == .expired }
}
