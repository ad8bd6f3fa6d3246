import TestSupport
import Testing

@testable import Jobs

struct CircularMedianTests {
  @Test(arguments: [1, 30, 300, 719, 720, 721, 1000, 1440])
  func `a middle minute is the one that comparing each with each finds`(spread: Int) {
    var random = SplitMix(state: UInt64(spread))
    for _ in 0..<2000 {
      let first = Int.random(in: 0..<1440, using: &random)
      let minutes = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
        (first + Int.random(in: 0..<spread, using: &random)) % 1440
      }

      #expect(CircularMedian.minute(of: minutes) == compared(minutes), "of \(minutes)")
    }
  }

  private func compared(_ minutes: [Int]) -> Int? {
    func sum(_ minute: Int) -> Int {
      minutes.reduce(0) { $0 + min(abs($1 - minute), 1440 - abs($1 - minute)) }
    }
    return minutes.min { (sum($0), $0) < (sum($1), $1) }
  }
}
