/// The minute of the day around which others lie.
enum CircularMedian {
  private static let day = 1440

  /// The one of these minutes of a day with the least sum of distances to all of them, around the
  /// clock; of several such the smallest.
  static func minute(of minutes: [Int]) -> Int? {
    let byDay = minutes.sorted()
    return middle(of: byDay) ?? middle(of: fromNoon(byDay)) ?? nearest(of: byDay)
  }

  /// Those after midnight come after those before it.
  private static func fromNoon(_ sorted: [Int]) -> [Int] {
    let morning = sorted.prefix { $0 < day / 2 }
    return sorted[morning.endIndex...] + morning.map { $0 + day }
  }

  /// The middle one of sorted minutes that lie within half a day: none of their distances is shorter the other
  /// way round, so there is no need to compare each with each.
  private static func middle(of sorted: [Int]) -> Int? {
    guard let first = sorted.first, let last = sorted.last, last - first <= day / 2 else {
      return nil
    }
    return min(sorted[(sorted.count - 1) / 2] % day, sorted[sorted.count / 2] % day)
  }

  private static func nearest(of sorted: [Int]) -> Int? {
    var best: (minute: Int, sum: Int)?
    for minute in sorted {
      let sum = sorted.reduce(0) { $0 + distance($1, minute) }
      if sum < best?.sum ?? .max { best = (minute, sum) }
    }
    return best?.minute
  }

  private static func distance(_ one: Int, _ other: Int) -> Int {
    let apart = abs(one - other)
    return min(apart, day - apart)
  }
}
