/// Dice that fall the same way each time for one seed, one learner and one purpose.
///
/// What is thrown for one purpose changes nothing for another, so a life can be told in parts.
struct Dice {
  private var state: UInt64

  /// What is decided by a row of throws.
  enum Purpose: UInt64 {
    case person = 1
    case changes, habit, studies, answers, devices, rewards, opens, repairs
  }

  init(_ seed: Int, of learner: Int, for purpose: Purpose, _ number: Int = 0) {
    // Mixed one after the other: in a sum, the next seed would throw for one purpose what this one
    // throws for another.
    state = Self.mixed(UInt64(bitPattern: Int64(seed)) &+ 0x9e37_79b9_7f4a_7c15)
    state = Self.mixed(state ^ purpose.rawValue)
    state = Self.mixed(state ^ UInt64(bitPattern: Int64(learner)))
    if number != 0 { state = Self.mixed(state ^ UInt64(bitPattern: Int64(number))) }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return Self.mixed(state)
  }

  /// A number from 0 up to and without 1.
  mutating func share() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// True in that share of all throws.
  mutating func falls(_ share: Double) -> Bool {
    self.share() < share
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(share() * Double(range.count))
  }

  /// A number around 0 that is seldom farther from it than twice `deviation`.
  mutating func spread(_ deviation: Double) -> Double {
    // The sum of four throws is near enough to a bell, and costs no logarithm.
    (share() + share() + share() + share() - 2) * deviation * 1.732
  }

  mutating func one<Value>(of values: [Value]) -> Value {
    values[number(0...(values.count - 1))]
  }

  /// One of the values, each as often as its weight says.
  mutating func one<Value>(weighing values: [(weight: Double, value: Value)]) -> Value {
    var rest = share() * values.reduce(0) { $0 + $1.weight }
    for (weight, value) in values.dropLast() {
      rest -= weight
      if rest < 0 { return value }
    }
    return values[values.count - 1].value
  }

  private static func mixed(_ number: UInt64) -> UInt64 {
    var bits = number
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }
}
