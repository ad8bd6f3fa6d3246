public import JobKit
public import LocalTime

/// What becomes of each tick of one job that is not decided yet.
///
/// Pure: the pass only writes it down.
public struct Decision: Sendable, Equatable {
  public let ticks: [Tick]

  /// Whether the runs that go on must be asked to stop first.
  public let cancelsOthers: Bool

  package init(ticks: [Tick], cancelsOthers: Bool) {
    self.ticks = ticks
    self.cancelsOthers = cancelsOthers
  }
}

extension Decision {
  /// Decides `moments`: the ticks in `(standing.decidedUntil, now]`, oldest first.
  public init(
    of moments: [Instant], now: Instant, isEnabled: Bool, standing: Standing,
    under policies: Policies, except exclusions: Exclusions = Exclusions(),
    inForceSince start: Instant? = nil
  ) {
    let stopped = moments.map { moment -> Tick.Fate? in
      if let start, moment <= start { return .notInForce }
      if !isEnabled { return .disabled }
      if let pause = standing.pause, pause.covers(moment) { return .paused(pause) }
      if let block = standing.block, block.since <= moment { return .blocked(block) }
      return exclusions.reason(at: moment).map { .skipped($0) }
    }
    // A tick that is paused or excluded does nobody's work, so it stands in for no other.
    let newest = zip(moments, stopped).reversed().first { $0.1 == nil }?.0
    let wanted = zip(moments, stopped).map { moment, fate in
      fate
        ?? Self.fate(
          of: moment, isNewest: moment == newest, now: now, standing: standing, under: policies)
    }
    var fates = Self.capped(wanted, at: policies.catchUp.most)
    cancelsOthers = Self.resolveOverlap(of: &fates, standing: standing, under: policies.overlap)
    ticks = Self.collapsed(zip(moments, fates).map { Tick(scheduledFor: $0, fate: $1) })
  }

  /// Decides a row of ticks that is too long to be listed, all of them missed, and all inside a pause
  /// and before `start` or all outside.
  ///
  /// Calendars have no say in it: nobody looked for thousands of ticks, and none of these runs.
  static func ofRow(
    from first: Instant, through last: Instant, count: Int, isEnabled: Bool, standing: Standing,
    under policies: Policies, inForceSince start: Instant?
  ) -> Decision {
    let fate: Tick.Fate =
      if let start, first <= start {
        .notInForce
      } else if !isEnabled {
        .disabled
      } else if let pause = standing.pause, pause.covers(first) {
        .paused(pause)
      } else if let block = standing.block, block.since <= first {
        .blocked(block)
      } else {
        switch policies.catchUp.policy {
        case .skip: .notRun
        case .latest: .newestRuns
        case .all: .tooMany
        }
      }
    let tick = Tick(
      scheduledFor: last, fate: .collapsed(from: first, count: count, fate.words))
    return Decision(ticks: [tick], cancelsOthers: false)
  }

  private static func fate(
    of moment: Instant, isNewest: Bool, now: Instant, standing: Standing, under policies: Policies
  ) -> Tick.Fate {
    let lateness = now - moment
    let isOnTime = isNewest && lateness <= onTime
    switch policies.catchUp.policy {
    case _ where isOnTime: return .due
    case _ where standing.pause?.covers(now) == true: return .missedThenPaused
    case _ where standing.block != nil: return .missedThenBlocked
    case .skip: return .notRun
    case .latest where !isNewest: return .newestRuns
    case .latest, .all: return lateness <= policies.catchUp.within ? .due : .tooLate
    }
  }

  /// A tick this late is still one that was seen in time: a pass takes its time, and hosts restart.
  private static let onTime = Duration.seconds(60)

  /// Keeps the newest `most` of what is due: the older ones were missed.
  private static func capped(_ fates: [Tick.Fate], at most: Int) -> [Tick.Fate] {
    let surplus = fates.count { $0 == .due } - most
    guard surplus > 0 else { return fates }
    var dropped = 0
    return fates.map { fate in
      guard fate == .due, dropped < surplus else { return fate }
      dropped += 1
      return .tooMany
    }
  }

  /// Applies the job's overlap policy to what is due; says whether the other runs have to stop.
  private static func resolveOverlap(
    of fates: inout [Tick.Fate], standing: Standing, under overlap: Overlap
  ) -> Bool {
    guard standing.hasRunning || standing.hasWaiting, fates.contains(.due) else { return false }
    let reason: String
    switch overlap {
    case .allow: return false
    case .skip: reason = "an earlier run is not over"
    case .queueOne, .cancelOther:
      guard standing.hasWaiting else { return overlap == .cancelOther }
      reason = "an earlier run is not over, and another waits for its end"
    }
    fates = fates.map { $0 == .due ? .skipped("\(Tick.Fate.overlap)\(reason)") : $0 }
    return false
  }

  /// Writes long rows of ticks that nobody ran as one: a year of seconds must not fill the ledger.
  private static func collapsed(_ ticks: [Tick]) -> [Tick] {
    ticks.chunked { $0.fate == $1.fate && $0.fate != .due }.flatMap { row -> [Tick] in
      guard row.count > longestRow, let first = row.first, let last = row.last else {
        return Array(row)
      }
      return [
        Tick(
          scheduledFor: last.scheduledFor,
          fate: .collapsed(from: first.scheduledFor, count: row.count, first.fate.words))
      ]
    }
  }

  private static let longestRow = 24
}

/// Every way not to be run, in words for the row.
extension Tick.Fate {
  fileprivate static let notInForce = Self.skipped(
    "it had passed when these rules of its zone came into force")
  fileprivate static let disabled = Self.skipped("disabled in the settings")
  fileprivate static let notRun = Self.missed(
    "no daemon was looking; missed ticks of this job are not run")
  fileprivate static let newestRuns = Self.missed(
    "no daemon was looking; the newest tick runs in its place")
  fileprivate static let tooLate = Self.missed("no daemon was looking until it was too late")
  fileprivate static let missedThenPaused = Self.missed(
    "no daemon was looking, and now the job is paused")
  fileprivate static let missedThenBlocked = Self.missed(
    "no daemon was looking, and now the job lacks a table or a right")
  fileprivate static let tooMany = Self.missed(
    "no daemon was looking; more ticks were missed than may be run at once")

  fileprivate static func paused(_ pause: Pause) -> Self {
    .skipped("paused by \(pause.author): \(pause.reason)")
  }

  fileprivate static func blocked(_ block: Block) -> Self {
    .skipped("blocked: \(block.reason)")
  }

  /// The fate and its reason, for the row that many ticks collapse into.
  fileprivate var words: String {
    switch self {
    case .due: "due"
    case .skipped(let reason): "skipped: \(reason)"
    case .missed(let reason): "missed: \(reason)"
    case .collapsed(_, _, let reason): reason
    }
  }
}

extension Tick.Fate {
  /// How the reason begins of a tick that another run has kept from running.
  fileprivate static let overlap = "overlap: "

  /// Whether somebody wants it not to run: by a pause, a calendar, the settings.
  package var isOrdered: Bool {
    switch self {
    case .due, .missed: false
    case .skipped(let reason): !reason.hasPrefix(Self.overlap)
    case .collapsed(_, _, let reason): !isMiss && !reason.hasPrefix("skipped: \(Self.overlap)")
    }
  }
}

extension Array {
  /// The runs of neighbours that belong together.
  fileprivate func chunked(
    where belongTogether: (Element, Element) -> Bool
  ) -> [ArraySlice<Element>] {
    var chunks: [ArraySlice<Element>] = []
    var start = startIndex
    for index in indices
    where index + 1 == endIndex || !belongTogether(self[index], self[index + 1]) {
      chunks.append(self[start...index])
      start = index + 1
    }
    return chunks
  }
}
