internal import LocalTime

/// How far a simulation is, by the clock that it turns: the same lines each time, however fast it is.
struct SimulationProgress {
  private let start: Instant
  private let end: Instant

  /// How many tenths, and thousandths, were told of.
  private var (tenths, thousandths) = (0, -1)

  init(from start: Instant, to end: Instant) {
    (self.start, self.end) = (start, end)
  }

  /// A line for a terminal, which draws it in place of the last; nothing where it would hardly differ.
  mutating func line(at moment: Instant) -> String? {
    let now = Int(share(at: moment) * 1000)
    guard now > thousandths else { return nil }
    thousandths = now
    return text(at: moment)
  }

  /// A line for a pipe, for each tenth that is over: no more than nine, however long it takes.
  mutating func landmark(at moment: Instant) -> String? {
    let now = Int(share(at: moment) * 10)
    guard now > tenths else { return nil }
    tenths = now
    return text(at: moment)
  }

  private func share(at moment: Instant) -> Double {
    max(0, (moment - start) / (end - start))
  }

  private func text(at moment: Instant) -> String {
    let shown = Instant(secondsSince1970: moment.secondsSince1970)
    return "simulated up to \(shown) of \(end), \(Int(share(at: moment) * 100)) %"
  }
}
