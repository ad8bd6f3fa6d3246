/// Some of the numbers 0 to 63.
struct ValueSet: Sendable, Hashable {
  private(set) var bits: UInt64 = 0

  var isEmpty: Bool { bits == 0 }

  var count: Int { bits.nonzeroBitCount }

  var values: [Int] { (0...63).filter(contains) }

  init() {}

  init(bits: UInt64) {
    self.bits = bits
  }

  init(_ values: some Sequence<Int>) {
    values.forEach { insert($0) }
  }

  mutating func insert(_ value: Int) {
    bits |= 1 << UInt64(value)
  }

  mutating func formUnion(_ other: ValueSet) {
    bits |= other.bits
  }

  func contains(_ value: Int) -> Bool {
    bits >> UInt64(value) & 1 == 1
  }

  /// The smallest value that is `low` or more.
  func first(from low: Int) -> Int? {
    let rest = bits & (~0 << UInt64(low))
    return rest == 0 ? nil : rest.trailingZeroBitCount
  }

  /// The largest value that is `high` or less.
  func last(through high: Int) -> Int? {
    guard high >= 0 else { return nil }
    let rest = bits & (~0 >> UInt64(63 - high))
    return rest == 0 ? nil : 63 - rest.leadingZeroBitCount
  }
}
