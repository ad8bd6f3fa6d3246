import Postgres

/// Why a push does not go out, as far as that is decided before its minute.
enum PushReason: String, Sendable, PostgresValue {
  case inactive
  case noConsent = "no_consent"
  case optedOut = "opted_out"
  case noDevice = "no_device"
  case holdout
  case capped
  case quietHours = "quiet_hours"
  case dayOver = "day_over"
  case windowPassed = "window_passed"
  case unknownZone = "unknown_zone"
}
