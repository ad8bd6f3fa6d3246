/// The minute of the day around which others lie.
enum CircularMedian {
  private static let day = 1440

  /// The one of these minutes of a day with the least sum of distances to all of them, around the
  /// clock; of several such the smallest.
  static func minute(of minutes: [Int]) -> Int? {
    var best: (minute: Int, sum: Int)?
    for minute in Set(minutes).sorted() {
      let sum = minutes.reduce(0) { $0 + distance($1, minute) }
      if sum < best?.sum ?? .max { best = (minute, sum) }
    }
    return best?.minute
  }

  private static func distance(_ one: Int, _ other: Int) -> Int {
    let apart = abs(one - other)
    return min(apart, day - apart)
  }
}
