import LocalTime
import Testing

@testable import Jobs

/// The cut, held against a second one that asks every minute of every stretch.
@Suite("Cutting a window, by brute force")
struct PushCutOracleTests {
  @Test func `around every change of the clock the longest stretch outside of quiet hours is left`()
    throws
  {
    var generator = Numbers(seed: 20_260_301)
    let zones = try PushCase.zones.get()
    var (asked, left) = (0, 0)
    for name in zones.names {
      let zone = try zones.zone(named: name)
      for moment in Self.moments(in: zone, &generator) {
        let window = PushWindow(from: moment, minutes: Int.random(in: 0...90, using: &generator))
        let quiet = QuietHours(
          from: Int.random(in: 0..<1440, using: &generator),
          to: Int.random(in: 0..<1440, using: &generator))
        let day = zone.localDay(of: Bool.random(using: &generator) ? window.from : window.to)
        let cut = window.cut(to: day, outside: quiet, in: zone)
        let expected = Self.longest(of: window, on: day, outside: quiet, in: zone)
        try #require(
          cut.map { $0.from.secondsSince1970..<$0.to.secondsSince1970 } == expected,
          "\(name) \(window) \(quiet)")
        asked += 1
        left += cut == nil ? 0 : 1
      }
    }

    #expect(asked > 4000)
    #expect((asked / 4...asked).contains(left))
  }

  /// Moments near changes of a zone's clock between 2005 and 2035, and some that are near none.
  private static func moments(in zone: Zone, _ generator: inout Numbers) -> [Instant] {
    let days = (0..<4).map { _ in Int.random(in: 12_800..<24_100, using: &generator) }
    var moments = days.map { Instant(secondsSince1970: $0 * 86_400 + 12_345) }
    var second = 1_104_537_600 + Int.random(in: 0..<5_000_000, using: &generator)
    while second < 2_000_000_000, moments.count < 12 {
      let next = second + 86_400 * 20
      if let change = change(of: zone, from: second, to: next) {
        moments.append(
          Instant(secondsSince1970: change + Int.random(in: -7200...7200, using: &generator)))
      }
      second = next
    }
    return moments
  }

  /// The second at which the offset is another one than before, found by halving.
  private static func change(of zone: Zone, from start: Int, to end: Int) -> Int? {
    var (low, high) = (start, end)
    let before = zone.offset(at: Instant(secondsSince1970: low))
    guard zone.offset(at: Instant(secondsSince1970: high)) != before else { return nil }
    while high - low > 1 {
      let middle = (low + high) / 2
      if zone.offset(at: Instant(secondsSince1970: middle)) == before {
        low = middle
      } else {
        high = middle
      }
    }
    return high
  }

  /// Tries every stretch, the longest first: slow, and too simple to be wrong.
  private static func longest(
    of window: PushWindow, on day: CivilDate, outside quiet: QuietHours, in zone: Zone
  ) -> Range<Int>? {
    let seconds = window.from.secondsSince1970...window.to.secondsSince1970
    let starts = seconds.filter { $0 % 60 == 0 && $0 + 60 <= seconds.upperBound }
    var isQuiet = [Bool](repeating: false, count: 1440)
    var minute = quiet.from
    while minute != quiet.to {
      isQuiet[minute] = true
      minute = (minute + 1) % 1440
    }
    let allowed = starts.map { start in
      let local = zone.local(at: Instant(secondsSince1970: start))
      return local.date == day && !isQuiet[local.hour * 60 + local.minute]
    }
    for length in stride(from: starts.count, to: 0, by: -1) {
      for first in 0...(starts.count - length)
      where allowed[first..<(first + length)].allSatisfy(\.self) {
        return starts[first]..<(starts[first] + 60 * length)
      }
    }
    return nil
  }
}

/// The same random numbers every time.
private struct Numbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    let mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    return mixed ^ (mixed >> 29)
  }
}
