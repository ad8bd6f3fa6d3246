/// What a sweep is at, as the first word of its cursor says.
enum SweepPhase: String {
  case taps
  case days
  case devices

  /// The cursor of a phase that begins.
  var cursor: String { rawValue }

  /// The cursor of a phase that has come to a place.
  func cursor(at place: String) -> String { "\(rawValue) \(place)" }

  /// Where the phase goes on; nothing when it begins.
  func place(in cursor: String?) -> String? {
    guard let cursor, cursor.hasPrefix("\(rawValue) ") else { return nil }
    return String(cursor.dropFirst(rawValue.count + 1))
  }
}

extension String? {
  /// Whether a sweep with this cursor has not come to the end of what is before `phase`.
  func isBefore(_ phase: SweepPhase) -> Bool {
    switch self?.split(separator: " ").first.flatMap({ SweepPhase(rawValue: String($0)) }) {
    case nil, .taps: true
    case .days: phase == .devices
    case .devices: false
    }
  }
}
