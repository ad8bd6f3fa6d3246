public import LocalTime

/// What becomes of each tick of one job that is not decided yet. Pure: the pass only writes it down.
public struct Decision: Sendable, Equatable {
  public let ticks: [Tick]

  /// Whether the runs that go on must be asked to stop first.
  public let cancelsOthers: Bool
}

extension Decision {
  /// Decides `moments`, all of them at or before `now`, oldest first.
  ///
  /// - Parameters:
  ///   - moments: the ticks in `(standing.decidedUntil, now]`, or the oldest ten thousand of them.
  ///   - newest: the newest tick at or before `now`, which may lie behind those.
  public init(
    of moments: [Instant], newest: Instant, now: Instant, isEnabled: Bool, standing: Standing,
    under policies: Policies
  ) {
    let wanted = moments.map { moment in
      isEnabled
        ? Self.fate(of: moment, newest: newest, now: now, standing: standing, under: policies)
        : .skipped("disabled in the settings")
    }
    var fates = Self.capped(wanted, at: policies.catchUp.most)
    cancelsOthers = Self.resolveOverlap(of: &fates, standing: standing, under: policies.overlap)
    ticks = Self.collapsed(zip(moments, fates).map { Tick(scheduledFor: $0, fate: $1) })
  }

  private static func fate(
    of moment: Instant, newest: Instant, now: Instant, standing: Standing, under policies: Policies
  ) -> Tick.Fate {
    if let pause = standing.pause, pause.covers(moment) {
      return .skipped("paused by \(pause.author): \(pause.reason)")
    }
    let lateness = now - moment
    let isOnTime = moment == newest && lateness <= onTime
    switch policies.catchUp.policy {
    case _ where isOnTime: return .due
    case .skip: return .missed("no daemon was looking; missed ticks of this job are not run")
    case .latest where moment != newest:
      return .missed("no daemon was looking; the newest tick runs in its place")
    case .latest, .all:
      guard lateness <= policies.catchUp.within else {
        return .missed("no daemon was looking until it was too late")
      }
      return .due
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
      return .missed("no daemon was looking; more ticks were missed than may be run at once")
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
    fates = fates.map { $0 == .due ? .skipped("overlap: \(reason)") : $0 }
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

extension Tick.Fate {
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
