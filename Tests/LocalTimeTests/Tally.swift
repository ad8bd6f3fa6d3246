/// Counts checks and keeps the first failures: a million expectations of their own would be slow.
struct Tally {
  private(set) var checks = 0
  private(set) var mismatches = [String]()

  mutating func check(_ holds: Bool, _ mismatch: @autoclosure () -> String) {
    checks += 1
    if !holds, mismatches.count < 20 { mismatches.append(mismatch()) }
  }
}
