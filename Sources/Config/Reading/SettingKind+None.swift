/// Kinds of settings that may also be switched off.
extension SettingKind<Duration?> {
  package static func durationOrNone(_ allowed: ClosedRange<Duration>, suchAs example: String)
    -> Self
  {
    let duration = SettingKind<Duration>.duration(allowed, suchAs: example)
    return SettingKind(wanted: "\(duration.wanted), or \"\" for none") { content throws(Misfit) in
      content == .string("") ? nil : try duration.read(content)
    }
  }
}

extension SettingKind<Int?> {
  package static func countOrNone(_ allowed: ClosedRange<Int>, suchAs example: Int) -> Self {
    let count = SettingKind<Int>.count(allowed, suchAs: example)
    return SettingKind(wanted: "\(count.wanted), or 0 for no limit") { content throws(Misfit) in
      content == .integer(0) ? nil : try count.read(content)
    }
  }
}

extension SettingKind<Double?> {
  /// How many times something, which is more than once.
  package static var timesOrNone: Self {
    SettingKind(wanted: "a number above 1, such as 3.5, or 0 for no limit") {
      content throws(Misfit) in
      let number: Double
      switch content {
      case .integer(let whole): number = Double(whole)
      case .float(let fraction): number = fraction
      default: throw .kind
      }
      if number == 0 { return nil }
      guard number > 1, number.isFinite else { throw .value }
      return number
    }
  }
}
