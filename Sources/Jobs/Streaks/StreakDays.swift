import LocalTime

/// The days that hold a learner's chains together: studied ones, and repaired ones, to which those belong that a
/// move has skipped.
///
/// Mostly only the days since the chain's end are read. What lies in the chain is known by its ends and
/// its length, and whoever asks for a day before that is told that more has to be read.
struct StreakDays {
  private let zone: Zone
  private(set) var studied: Set<CivilDate> = []
  private(set) var repaired: Set<CivilDate> = []

  /// The first day of which everything is known; nothing when all days are.
  private let knownFrom: CivilDate?

  /// A chain that was found already: its days need not be walked again.
  private(set) var known: Chain?

  init(in zone: Zone, knownFrom: CivilDate?, known: Chain?) {
    self.zone = zone
    self.knownFrom = knownFrom
    self.known = known
  }
}

/// The answer lies in days that were not read.
struct HistoryTooShort: Error {}

extension StreakDays {
  mutating func study(_ day: CivilDate) {
    studied.insert(day)
  }

  mutating func repair(_ day: CivilDate) {
    repaired.insert(day)
  }

  /// A repaired day turns out to be studied, and counts from now on.
  mutating func replaceRepair(of day: CivilDate) {
    repaired.remove(day)
    studied.insert(day)
    if known?.covers(day) == true { known?.length += 1 }
  }

  /// Spares the next walk the days of `chain`.
  mutating func remember(_ chain: Chain?) {
    if let chain { known = chain }
  }

  /// Whether a chain goes on over `day`: a day that does not exist breaks none.
  func isFilled(_ day: CivilDate) throws(HistoryTooShort) -> Bool {
    if holds(day) { return true }
    if let knownFrom, day < knownFrom, day.advanced(by: 1) != known?.startedOn {
      throw HistoryTooShort()
    }
    return !zone.dayExists(day)
  }

  /// Whether `day` is known to have been studied: it is that in a chain unless it was repaired.
  func isStudied(_ day: CivilDate) throws(HistoryTooShort) -> Bool {
    if repaired.contains(day) { return false }
    return try isFilled(day)
  }

  func holds(_ day: CivilDate) -> Bool {
    studied.contains(day) || repaired.contains(day) || known?.covers(day) == true
  }

  /// The first studied day after `day`, if there is any.
  func firstStudied(after day: CivilDate) -> CivilDate? {
    let later = studied.lazy.filter { $0 > day }.min()
    guard let known, known.startedOn > day else { return later }
    return min(known.startedOn, later ?? known.startedOn)
  }

  /// The whole chain that `day` belongs to, which is filled.
  func chain(around day: CivilDate) throws(HistoryTooShort) -> Chain {
    var (first, last) = (leap(from: day, to: \.startedOn), leap(from: day, to: \.lastDay))
    while try isFilled(first.advanced(by: -1)) {
      first = leap(from: first.advanced(by: -1), to: \.startedOn)
    }
    while try isFilled(last.advanced(by: 1)) {
      last = leap(from: last.advanced(by: 1), to: \.lastDay)
    }
    // A day that does not exist may lie in a chain, but is no end of one.
    while !holds(first) { first = first.advanced(by: 1) }
    while !holds(last) { last = last.advanced(by: -1) }
    return Chain(startedOn: first, lastDay: last, length: studiedDays(from: first, through: last))
  }

  private func leap(from day: CivilDate, to end: KeyPath<Chain, CivilDate>) -> CivilDate {
    guard let known, known.covers(day) else { return day }
    return known[keyPath: end]
  }

  private func studiedDays(from first: CivilDate, through last: CivilDate) -> Int {
    var (count, day) = (0, first)
    while day <= last {
      if let known, known.covers(day) {
        count += known.length
        day = known.lastDay
      } else if studied.contains(day) {
        count += 1
      }
      day = day.advanced(by: 1)
    }
    return count
  }

  /// Every chain there is, by its first day.
  func chains() throws(HistoryTooShort) -> [Chain] {
    var chains: [Chain] = []
    for day in studied.sorted() where chains.last?.covers(day) != true {
      chains.append(try chain(around: day))
    }
    return chains
  }
}
