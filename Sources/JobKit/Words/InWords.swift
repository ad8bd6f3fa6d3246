extension Duration {
  /// The duration in its two largest units: `3 h 12 min`, or in milliseconds below a second.
  public var inWords: String {
    let seconds = Int(components.seconds)
    switch seconds {
    case 0: return "\(Int(self / .milliseconds(1))) ms"
    case ..<60: return "\(seconds) s"
    case ..<3600: return Self.pair(seconds / 60, "min", seconds % 60, "s")
    case ..<86_400: return Self.pair(seconds / 3600, "h", seconds / 60 % 60, "min")
    default: return Self.pair(seconds / 86_400, "d", seconds / 3600 % 24, "h")
    }
  }

  private static func pair(_ large: Int, _ unit: String, _ small: Int, _ rest: String) -> String {
    small == 0 ? "\(large) \(unit)" : "\(large) \(unit) \(small) \(rest)"
  }
}

extension Int {
  /// So many of something: `1 tick`, `2 ticks`.
  public func counted(_ one: String, _ many: String? = nil) -> String {
    "\(self) \(self == 1 ? one : many ?? "\(one)s")"
  }
}
