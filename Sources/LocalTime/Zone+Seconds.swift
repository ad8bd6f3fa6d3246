/// The same questions in whole seconds, for searches.
///
/// Local seconds are those since 1970 if the wall showed UTC. No offset is larger than 26 hours,
/// so nothing farther than ``reach`` from a local time can show it.
extension Zone {
  private static let reach = 26 * 3600

  func local(at second: Int) -> Int {
    second + rules.offset(at: second)
  }

  /// The first second at which clocks show `local` or later.
  func firstSecond(showing local: Int) -> Int {
    var span = rules.span(at: local - Self.reach)
    while span.end + span.offset <= local {
      span = rules.span(at: span.end)
    }
    return max(span.start, local - span.offset)
  }

  /// The latest local time that clocks have shown up to and including a second.
  ///
  /// It stands still while an hour is repeated: the wall schedule has been there before.
  func latestLocal(upTo second: Int) -> Int {
    var span = rules.span(at: second)
    var latest = second + span.offset
    while span.start > second - 2 * Self.reach {
      span = rules.span(at: span.start - 1)
      latest = max(latest, span.end - 1 + span.offset)
    }
    return latest
  }

  /// All seconds at which clocks show `local`, in order.
  func seconds(showing local: Int) -> [Int] {
    var seconds = [Int]()
    var span = rules.span(at: local - Self.reach)
    while true {
      if span.start + span.offset <= local, local < span.end + span.offset {
        seconds.append(local - span.offset)
      }
      guard span.end <= local + Self.reach else { return seconds }
      span = rules.span(at: span.end)
    }
  }

  /// Whether some clock change lies near enough for a local time to come again.
  func changesClocks(near second: Int) -> Bool {
    let span = rules.span(at: second)
    return span.start > second - 2 * Self.reach || span.end <= second + 2 * Self.reach
  }
}
