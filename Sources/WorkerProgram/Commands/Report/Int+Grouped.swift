extension Int {
  /// The number with its thousands apart, as in 12,310.
  var grouped: String {
    let digits = Array(String(magnitude).reversed())
    let groups = stride(from: 0, to: digits.count, by: 3).map { start in
      String(digits[start..<Swift.min(start + 3, digits.count)].reversed())
    }
    return (self < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }

  /// The number, or nothing to look at when there is none.
  var shown: String { self == 0 ? "" : grouped }

  func counted(_ noun: String) -> String {
    self == 1 ? "1 \(noun)" : "\(grouped) \(noun)s"
  }
}
