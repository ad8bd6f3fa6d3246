/// A day of the week, numbered as cron does: Sunday is 0.
public enum Weekday: Int, Sendable, CaseIterable {
  case sunday, monday, tuesday, wednesday, thursday, friday, saturday
}
