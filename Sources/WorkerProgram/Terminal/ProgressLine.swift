internal import JobKit

/// How far a run is, in one line: a bar where the whole is known, the rate, and the time that is left.
struct ProgressLine {
  let done: Int

  /// How much there is in all, when the job knows.
  let total: Int?

  /// What was done within `elapsed`: a run that goes on at its cursor did the rest before.
  let recently: Int
  let elapsed: Duration

  /// Nothing where there is neither something done nor a whole: that would only repeat itself.
  var text: String? {
    guard done > 0 || total != nil else { return nil }
    return [bar, amount, rate, left].compactMap(\.self).joined(separator: "  ")
  }

  private var share: Double? {
    total.map { $0 > 0 ? min(1, Double(done) / Double($0)) : 1 }
  }

  private var bar: String? {
    share.map { share in
      let filled = Int(share * Double(Self.width))
      let bar = String(repeating: "█", count: filled)
      return "\(bar)\(String(repeating: "░", count: Self.width - filled)) \(Int(share * 100)) %"
    }
  }

  private static let width = 24

  private var amount: String {
    total.map { "\(done)/\($0)" } ?? "\(done) done"
  }

  private var perSecond: Double? {
    let seconds = elapsed / .seconds(1)
    return recently > 0 && seconds > 0 ? Double(recently) / seconds : nil
  }

  private var rate: String? {
    perSecond.map { "\(Int($0.rounded()))/s" }
  }

  private var left: String? {
    guard let total, let perSecond, done < total else { return nil }
    return "\(RelativeTime.text(.seconds(Double(total - done) / perSecond))) left"
  }
}
