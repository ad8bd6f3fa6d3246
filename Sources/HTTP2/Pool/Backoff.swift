/// How long to wait before the next try: any time up to 0, 1, 2, 4 … seconds, so that many do not come at once.
struct Backoff: Sendable {
  let longest: Duration
  private(set) var failures = 0
  private var state: UInt64

  init(longest: Duration, seed: UInt64) {
    (self.longest, state) = (longest, seed)
  }

  mutating func fail() {
    failures += 1
  }

  mutating func succeed() {
    failures = 0
  }

  /// The most that the next wait may be.
  var limit: Duration {
    failures == 0 ? .zero : min(longest, .seconds(1 << min(failures - 1, 20)))
  }

  /// The next wait, drawn anew each time.
  mutating func wait() -> Duration {
    limit * draw()
  }

  /// A number from 0 up to 1, by SplitMix64.
  private mutating func draw() -> Double {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53)
  }
}
