extension Duration {
  /// The time as people write it: `30 s`, `1.5 s` or `250 ms`.
  var inWords: String {
    let whole = milliseconds
    guard whole >= 1000 else { return "\(whole) ms" }
    let tenths = whole % 1000 / 100
    return "\(whole / 1000)\(tenths == 0 ? "" : ".\(tenths)") s"
  }
}
