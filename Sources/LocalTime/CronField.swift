/// One of the places of a cron expression, with what may stand in it.
public enum CronField: String, Sendable, CaseIterable {
  case second, minute, hour, day, month, weekday

  /// The values it may hold; Sunday is 0 and also 7.
  var allowed: ClosedRange<Int> {
    switch self {
    case .second, .minute: 0...59
    case .hour: 0...23
    case .day: 1...31
    case .month: 1...12
    case .weekday: 0...7
    }
  }

  /// The values that `*` stands for, each once.
  var everything: ClosedRange<Int> {
    self == .weekday ? 0...6 : allowed
  }

  /// Its values in words, from the first, where it has words.
  var names: [String] {
    switch self {
    case .month:
      ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
    case .weekday: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
    default: []
    }
  }

  /// What a refusal shows as the way to write it.
  var examples: String {
    switch self {
    case .second, .minute: "*, */15, 5, 5-20 or 5,35"
    case .hour: "*, */6, 5, 9-17 or 9,17"
    case .day: "*, 1, 1-7, 1,15 or L"
    case .month: "*, */3, 5, 6-8 or JAN,JUL"
    case .weekday: "*, 1, MON-FRI, SAT,SUN, MON#1 or 5L"
    }
  }
}
